/** The same patch as the distribution's, applied at load time to a site's own Spark. */
package org.apache.spark.hpc.agent;
