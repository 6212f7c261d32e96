package org.apache.spark.sql.hpc

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

/** Found by Spark through `META-INF/services`, for each new session's extensions. */
class HpcExtensions extends SparkSessionExtensionsProvider {
  override def apply(extensions: SparkSessionExtensions): Unit =
    extensions.injectPostHocResolutionRule(_ => SettingsInSql)
}
