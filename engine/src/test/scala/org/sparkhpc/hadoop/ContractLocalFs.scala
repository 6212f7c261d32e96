package org.sparkhpc.hadoop

import java.net.URI

import org.apache.hadoop.conf.Configuration

/** What Hadoop's tests of `FileContext` find through core-site.xml. */
final class ContractLocalFs(uri: URI, conf: Configuration)
    extends PooledLocalFs(uri, new PooledLocalFileSystem, conf)
