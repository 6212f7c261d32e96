package org.sparkhpc

/** The built distribution, run as its users run it: its scripts in processes of their own.
  *
  *   1. Whatever is asserted about the patch comes from the executors' side, and is false on stock
  *      Spark ([[e2e.StockSuite]] holds that).
  *   1. A suite leaves no process and no file behind, and takes no fixed port.
  */
package object e2e
