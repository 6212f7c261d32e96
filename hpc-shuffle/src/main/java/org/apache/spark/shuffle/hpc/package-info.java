/**
 * The shuffle manager and its placements. A placement decides where the map outputs of an application are stored, and
 * who writes, serves and reads them.
 *
 * <p>{@code Placement} has three implementations: {@code SparksFiles}, {@code ExecutorPlacement} and
 * {@code SharedPlacement}. The packages below serve them: {@code place}, {@code write}, {@code read}, {@code serve},
 * {@code loss} and {@code metrics}. The containers themselves are in the engine ({@code org.sparkhpc.container}).
 *
 * <p>This module depends on core. Core knows it only as a {@code PlacedOutputs}. Spark loads it through
 * {@code spark.shuffle.manager}.
 */
package org.apache.spark.shuffle.hpc;
