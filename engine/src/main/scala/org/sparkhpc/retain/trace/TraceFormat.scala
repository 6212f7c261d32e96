package org.sparkhpc.retain.trace

private[trace] object TraceFormat {

  /** "hpt2" */
  val Magic = 0x68707432

  val BufferBytes = 65536

  val RequestedCode = 1
  val ComputedCode = 2
  val StoredCode = 3
  val ForgottenCode = 4
  val ReferencedCode = 5
  val EvictedCode = 6
  val WrittenCode = 7
  val ReadBackCode = 8
}
