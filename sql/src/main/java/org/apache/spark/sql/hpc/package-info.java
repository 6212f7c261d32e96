/**
 * What Spark SQL gets of Spark-HPC, loaded as a session extension: no class of Spark SQL is patched.
 *
 * <p>Our settings are in {@code SET -v}, and {@code SET} of one is refused. The input of queries is still read through
 * Hadoop's own file systems; one that borrows its descriptors from core's file pool will live here, too.
 */
package org.apache.spark.sql.hpc;
