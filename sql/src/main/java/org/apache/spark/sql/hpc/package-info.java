/**
 * Pooled input reading for Spark SQL: Parquet, ORC and text files opened once per executor rather
 * than once per task and column chunk.
 *
 * <p>Nothing is here yet; Spark SQL reads its input through Hadoop's own file systems. What will
 * live here is a Hadoop {@code FileSystem} that borrows its descriptors from core's file pool, and
 * that Hadoop loads through {@code fs.*.impl}, so that no Spark SQL class needs a patch.
 */
package org.apache.spark.sql.hpc;
