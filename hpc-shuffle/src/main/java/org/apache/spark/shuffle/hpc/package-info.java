/**
 * The HPC shuffle: what a map task writes and how a reducer reads it when scratch is a shared file
 * system on which opening a file is dear.
 *
 * <p>Here now: map outputs in containers ({@code org.sparkhpc.container}), one for an executor
 * and shuffle, in a directory of the shared file system, whose place is a part of the map status
 * ({@code OutputPlace}); two routes to them ({@code Route}); and what the driver does when one is lost
 * ({@code Sweep}). So they outlive their executors and nodes.
 *
 * <p>It depends on core; core knows it only as a {@code PlacedOutputs}. Spark loads it through
 * {@code spark.shuffle.manager}.
 */
package org.apache.spark.shuffle.hpc;
