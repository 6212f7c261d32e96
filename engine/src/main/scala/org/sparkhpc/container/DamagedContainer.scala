package org.sparkhpc.container

import java.io.IOException

/** The bytes that were read from a container aren't those that were written. */
final class DamagedContainer(what: String) extends IOException(what)
