package org.sparkhpc.e2e

/** Uses a resource and closes it, whatever happens. */
object Closing {
  def apply[R <: AutoCloseable, A](resource: R)(use: R => A): A =
    try use(resource)
    finally resource.close()
}
