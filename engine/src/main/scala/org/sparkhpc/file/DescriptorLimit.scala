package org.sparkhpc.file

import java.lang.management.ManagementFactory
import javax.management.{JMException, ObjectName}

/** The number of files that this process may have open at once. */
object DescriptorLimit {

  /** None if the JVM doesn't report it. The attribute is read by name, since not every JVM has HotSpot's
    * interface for it.
    */
  def ofProcess: Option[Long] =
    try {
      val system = new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME)
      ManagementFactory.getPlatformMBeanServer.getAttribute(
        system,
        "MaxFileDescriptorCount"
      ) match {
        case limit: java.lang.Long => Some(limit)
        case _ => None
      }
    } catch { case _: JMException => None }
}
