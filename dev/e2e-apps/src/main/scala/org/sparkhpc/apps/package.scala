package org.sparkhpc

/** Programs as users write them, for the end-to-end tests to submit.
  *
  * Each prints its results, one `name=value` a line, then the lines of PatchCheck for the executors
  * that computed them. They use nothing of Spark-HPC but those lines, so that they run on stock
  * Spark, too.
  */
package object apps
