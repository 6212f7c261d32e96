/**
 * The HPC shuffle: what a map task writes and how a reducer reads it when scratch is a shared file
 * system on which opening a file is dear.
 *
 * <p>Nothing is here yet; Spark's own shuffle runs unchanged. What will live here:
 *
 * <ul>
 *   <li>containers: the map outputs of one executor and shuffle packed into one file, each output
 *       published by one checksummed record;
 *   <li>the index of a container, bounded in bytes;
 *   <li>the read plan: which byte ranges a reducer asks for, ordered and merged (pure);
 *   <li>routes: straight from the shared file system, or from the owner over the network;
 *   <li>placement: where the map status says that an output lives, and the driver's sweep for lost
 *       places.
 * </ul>
 *
 * <p>It depends on core (tiers and the file pool); core never depends on it. Spark loads it through
 * {@code spark.shuffle.manager} and {@code spark.shuffle.sort.io.plugin.class}.
 */
package org.apache.spark.shuffle.hpc;
