/**
 * What GraphX needs beyond core when memory is short.
 *
 * <p>Nothing is here yet; the distribution ships the published GraphX jar as it is. Should eviction
 * by recompute cost in core not be enough, this module becomes {@code
 * org.apache.spark:spark-graphx_2.12}, woven from the published jar as core is, with prologues on
 * {@code PageRank.runWithOptions} and {@code runUntilConvergenceWithOptions}.
 */
package org.apache.spark.graphx.hpc;
