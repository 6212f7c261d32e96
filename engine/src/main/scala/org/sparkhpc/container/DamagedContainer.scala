package org.sparkhpc.container

import java.io.IOException

/** What is read isn't what was written. */
final class DamagedContainer(what: String) extends IOException(what)
