package org.sparkhpc.hadoop

import java.nio.file.Files
import java.util.{Map => JMap}

import scala.collection.JavaConverters._
import scala.reflect.io.Directory

import org.apache.hadoop.fs.{FileSystem, RawLocalFileSystem}
import org.junit.runner.{Description, JUnitCore, Request}
import org.junit.runner.manipulation.Filter
import org.scalatest.funsuite.AnyFunSuite

/** Hadoop's own tests of a file system, run on ours with checksums and on the raw one below it. They find it through
  * core-site.xml. Their symbolic links, statuses and main operations are those of any local file system.
  */
class HadoopContractSuite extends AnyFunSuite {

  private val contracts = Seq(
    "Append",
    "Create",
    "Delete",
    "GetFileStatus",
    "Mkdir",
    "Open",
    "Rename",
    "Seek",
    "SetTimes"
  )

  // Two classes of FileContext's tests are missing: TestLocalFSFileContextCreateMkdir wants log4j 1, and
  // TestLocalFsFCStatistics counts no bytes of checksum files, where our reads do.
  private val classes =
    Seq("TestLocalFileSystem", "TestRawLocalFileSystemContract") ++
      contracts.map(name => s"contract.localfs.TestLocalFSContract$name") ++
      contracts.map(name => s"contract.rawlocal.TestRawlocalContract$name") ++ Seq(
        "contract.localfs.TestLocalFSContractStreamIOStatistics",
        "contract.rawlocal.TestRawlocalContractPathHandle",
        "TestChecksumFileSystem",
        "TestFSMainOperationsLocalFileSystem",
        "TestSymlinkLocalFSFileSystem",
        "TestFcLocalFsPermission",
        "TestFcLocalFsUtil",
        "TestFileContext",
        "TestFileContextDeleteOnExit",
        "TestLocalFSFileContextMainOperations",
        "TestSymlinkLocalFSFileContext"
      )

  // They fail with Hadoop's own local file system, too.
  private val leftOut = Map(
    "testFileStatusPipeFile" -> "wants a mock that this class path lacks",
    "testGlobStatusThrowsExceptionForUnreadableDir" -> "root may read every directory",
    "testListStatusThrowsExceptionForUnreadableDir" -> "root may read every directory",
    "testRenameNonExistentPath" -> "wants another exception",
    "testReportChecksumFailure" -> "moves a file to the root of its file system"
  )

  private object Wanted extends Filter {
    override def shouldRun(test: Description): Boolean = !leftOut.contains(test.getMethodName)
    override def describe: String = "without those that fail with Hadoop's own"
  }

  /** The next file system has the settings of its own test, and tests count the ones that the process has had. */
  private def forgetFileSystems(): Unit = {
    FileSystem.closeAll()
    val known = classOf[FileSystem].getDeclaredField("statisticsTable")
    known.setAccessible(true)
    known.get(null).asInstanceOf[JMap[_, _]].clear()
  }

  /** Tests of links have all local file systems of this JVM start commands for statuses, those of other suites, too. */
  private def startNoCommands(): Unit = {
    val isByJava = classOf[RawLocalFileSystem].getDeclaredField("useDeprecatedFileStatus")
    isByJava.setAccessible(true)
    isByJava.setBoolean(null, true)
  }

  for (name <- classes) test(name) {
    val data = Files.createTempDirectory("contract")
    System.setProperty("test.build.data", data.toString)
    forgetFileSystems()
    if (name.contains("Symlink")) RawLocalFileSystem.useStatIfAvailable()
    try {
      val tests = Request.aClass(Class.forName(s"org.apache.hadoop.fs.$name")).filterWith(Wanted)
      val result = new JUnitCore().run(tests)
      val failures = result.getFailures.asScala
      assert(result.getRunCount > 0 && failures.isEmpty, failures.map(_.getTrace).mkString("\n"))
    } finally {
      startNoCommands()
      Directory(data.toFile).deleteRecursively(): Unit
    }
  }
}
