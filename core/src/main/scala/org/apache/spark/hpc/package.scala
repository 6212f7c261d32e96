package org.apache.spark

/** What is ours and knows nothing of Spark's internals: the build's identity, and later `file` (how
  * a file is opened), `tier` (which tier it goes to) and `retain` (what to evict). Those three never
  * see each other or Spark; thin subclasses in `org.apache.spark.storage` join them to it.
  */
package object hpc
