package org.apache.spark.hpc.profile

/** Recognizes the methods of JDK 8, 11 and 17 in which a thread uses a file system or the network, or waits. */
private[profile] object SystemCalls {

  def isWait(frame: StackTraceElement): Boolean = frame.getMethodName match {
    case "park" => frame.getClassName.endsWith(".Unsafe")
    case "wait" | "wait0" => frame.getClassName == "java.lang.Object"
    case "sleep" | "sleep0" => frame.getClassName == "java.lang.Thread"
    case _ => false
  }

  /** What the innermost call of a thread does; None if it is no such call. */
  def activity(frame: StackTraceElement): Option[String] = frame.getClassName match {
    case "sun.nio.fs.UnixNativeDispatcher" =>
      Some(if (frame.getMethodName.startsWith("open")) Activity.Open else Activity.Metadata)
    case "java.io.UnixFileSystem" => Some(Activity.Metadata)
    case "java.io.FileInputStream" | "java.io.FileOutputStream" | "java.io.RandomAccessFile" |
        "java.io.FileDescriptor" | "java.io.FileCleanable" | "sun.nio.ch.FileDispatcherImpl" |
        "sun.nio.ch.UnixFileDispatcherImpl" | "sun.nio.ch.FileChannelImpl" =>
      ofFile(frame)
    case "java.net.SocketInputStream" | "java.net.SocketOutputStream" | "java.net.PlainSocketImpl" |
        "sun.nio.ch.Net" | "sun.nio.ch.SocketDispatcher" | "sun.nio.ch.EPoll" =>
      Some(Activity.Network)
    case _ => None
  }

  private def ofFile(frame: StackTraceElement): Option[String] =
    if (!frame.isNativeMethod) None
    else
      frame.getMethodName match {
        case name if name.startsWith("open") => Some(Activity.Open)
        case name if name.startsWith("read") || name.startsWith("pread") => Some(Activity.Read)
        case name
            if Seq("write", "pwrite", "force", "sync", "transfer").exists(name.startsWith(_)) =>
          Some(Activity.Write)
        case _ => Some(Activity.Metadata)
      }
}
