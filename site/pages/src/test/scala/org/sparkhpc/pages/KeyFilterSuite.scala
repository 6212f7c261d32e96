package org.sparkhpc.pages

import java.lang.reflect.{InvocationHandler, Method, Proxy}
import javax.servlet.{FilterChain, FilterConfig, ServletException}
import javax.servlet.http.{Cookie, HttpServletRequest, HttpServletResponse}

import scala.collection.mutable
import scala.reflect.ClassTag

import org.scalatest.funsuite.AnyFunSuite

class KeyFilterSuite extends AnyFunSuite {

  private val Right = "right"

  /** Those methods that the filter calls, by name. */
  private def stub[T](answers: PartialFunction[(String, Seq[AnyRef]), AnyRef])(implicit
      tag: ClassTag[T]
  ): T = {
    val handler = new InvocationHandler {
      override def invoke(proxy: AnyRef, method: Method, arguments: Array[AnyRef]): AnyRef =
        answers((method.getName, Option(arguments).toSeq.flatten))
    }
    Proxy
      .newProxyInstance(getClass.getClassLoader, Array(tag.runtimeClass), handler)
      .asInstanceOf[T]
  }

  private def filter(key: String): KeyFilter = {
    val made = new KeyFilter
    made.init(stub[FilterConfig] { case ("getInitParameter", Seq("token")) => key })
    made
  }

  /** What becomes of a request, in order. */
  private def outcome(inAddress: String, cookies: Cookie*): Seq[String] =
    outcomeWith(null, inAddress, cookies: _*)

  private def outcomeWith(
      authorization: String,
      inAddress: String,
      cookies: Cookie*
  ): Seq[String] = {
    val seen = mutable.Buffer.empty[String]
    val request = stub[HttpServletRequest] {
      case ("getCookies", _) => if (cookies.isEmpty) null else cookies.toArray
      case ("getParameter", Seq("key")) => inAddress
      case ("getHeader", Seq("Authorization")) => authorization
      case ("getRequestURI", _) => "/jobs/"
    }
    val response = stub[HttpServletResponse] {
      case ("addCookie", Seq(cookie: Cookie)) =>
        seen += s"cookie ${cookie.getName}=${cookie.getValue} ${cookie.isHttpOnly} ${cookie.getPath}"
        null
      case ("sendRedirect", Seq(place)) =>
        seen += s"redirect $place"
        null
      case ("sendError", Seq(code, _)) =>
        seen += s"error $code"
        null
    }
    val chain = stub[FilterChain] { case ("doFilter", _) =>
      seen += "passed"
      null
    }
    filter(Right).doFilter(request, response, chain)
    seen.toSeq
  }

  private def ours(value: String): Cookie = new Cookie("spark-hpc", value)

  test("without the key nobody gets in") {
    assert(outcome(null) == Seq("error 403"))
    assert(outcome("") == Seq("error 403"))
    assert(outcome("wrong") == Seq("error 403"))
    assert(outcome(null, ours("wrong"), new Cookie("other", Right)) == Seq("error 403"))
  }

  test("the key in the address becomes a cookie, and leaves the address") {
    assert(outcome(Right) == Seq("cookie spark-hpc=right true /", "redirect /jobs/"))
    assert(outcome(Right, ours("of another cluster")).last == "redirect /jobs/")
  }

  test("who has the cookie gets in") {
    assert(outcome(null, new Cookie("other", "x"), ours(Right)) == Seq("passed"))
  }

  test("a program gets in that sends the key with each request") {
    assert(outcomeWith("Bearer right", null) == Seq("passed"))
    assert(outcomeWith("bearer  right ", null) == Seq("passed"))
    Seq("Bearer wrong", "Bearer ", "Bearer", "Basic right", "right").foreach { sent =>
      assert(outcomeWith(sent, null) == Seq("error 403"))
    }
  }

  test("a filter without a key isn't one") {
    Seq(null, "").foreach { key =>
      val refused = intercept[ServletException](filter(key))
      assert(
        refused.getMessage.contains("spark.org.sparkhpc.pages.KeyFilter.param.token is missing")
      )
    }
  }
}
