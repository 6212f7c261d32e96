package org.apache.spark.hpc.files

import java.net.URI

import org.apache.hadoop.conf.Configuration

import org.sparkhpc.hadoop.PooledLocalFs

/** [[HpcLocalFileSystem]] for Hadoop's `FileContext`, through which Spark writes the checkpoints of streaming queries. */
final class HpcLocalFs(uri: URI, conf: Configuration)
    extends PooledLocalFs(uri, new HpcLocalFileSystem, conf)
