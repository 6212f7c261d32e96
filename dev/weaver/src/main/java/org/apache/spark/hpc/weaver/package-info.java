/**
 * Re-points listed call sites in Spark's published classes to ours, and nothing else.
 *
 * <p>A {@link org.apache.spark.hpc.weaver.Site} is one line of a {@code *.sites} file ({@link
 * org.apache.spark.hpc.weaver.SiteList}). {@link org.apache.spark.hpc.weaver.ClassWeaver} rewrites
 * one class from its bytes; it needs nothing but ASM, so that the build and a load-time agent share
 * it. {@link org.apache.spark.hpc.weaver.JarWeaver} makes a patched jar out of a stock jar and our
 * classes, and refuses whatever could leave Spark half patched. {@link
 * org.apache.spark.hpc.weaver.Main} is the command that the build runs.
 */
package org.apache.spark.hpc.weaver;
