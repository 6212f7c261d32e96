/** A Java agent that applies the distribution's patch to a site's own Spark, as its classes are loaded. */
package org.apache.spark.hpc.agent;
