package org.apache.spark.shuffle.hpc.place

import java.nio.file.Path

/** A container, by the name under which this process finds it. */
private[hpc] final case class ContainerFile(shuffle: Int, path: Path)
