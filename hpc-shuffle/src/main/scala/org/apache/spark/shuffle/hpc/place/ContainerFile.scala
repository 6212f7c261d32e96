package org.apache.spark.shuffle.hpc.place

import java.nio.file.Path

/** A container of a shuffle, and the path by which this process opens it. */
private[hpc] final case class ContainerFile(shuffle: Int, path: Path)
