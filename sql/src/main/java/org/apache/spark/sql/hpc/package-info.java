/**
 * Spark SQL's part of Spark-HPC.
 *
 * <p>Here now: {@code SqlCommandLine}, what {@code bin/spark-sql} runs where Hive's command line
 * isn't among the jars.
 *
 * <p>What will live here: pooled input reading. Parquet, ORC and text files are opened once per
 * executor rather than once per task and column chunk, by a Hadoop {@code FileSystem} that borrows
 * its descriptors from core's file pool and that Hadoop loads through {@code fs.*.impl}, so that no
 * Spark SQL class needs a patch.
 */
package org.apache.spark.sql.hpc;
