package org.sparkhpc.report

import com.fasterxml.jackson.core.{JsonParser, JsonToken}

/** Reads the fields of JSON objects that are needed, and skips the others without making objects of them. */
private[report] object Fields {

  /** Calls `read` for each field of the object at which the parser is. `read` may use the value or not. */
  def each(parser: JsonParser)(read: String => Unit): Unit =
    if (parser.currentToken == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        val name = parser.getCurrentName
        parser.nextToken()
        val before = parser.getParsingContext
        read(name)
        // What wasn't read is at the beginning still.
        if (parser.getParsingContext eq before) parser.skipChildren(): Unit
      }
    }

  /** Calls `read` for each object of the array at which the parser is. */
  def elements(parser: JsonParser)(read: => Unit): Unit =
    if (parser.currentToken == JsonToken.START_ARRAY) {
      while (parser.nextToken() != JsonToken.END_ARRAY) read
    }
}
