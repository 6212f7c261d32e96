package org.apache.spark.hpc.report;

import java.io.IOException;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.spark.ui.JettyUtils;
import org.apache.spark.ui.SparkUI;

/**
 * A page of text that is made for each request, and that no cache keeps.
 *
 * <p>In Java, because Spark's jar has Jetty under another name, of which the Scala compiler isn't told.
 */
final class TextPage extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final String type;
    private final transient Supplier<String> text;

    private TextPage(String type, Supplier<String> text) {
        this.type = type;
        this.text = text;
    }

    /** Adds a page to an application's web page, under {@code path}. */
    static void attach(SparkUI ui, String path, String type, Supplier<String> text) {
        ui.attachHandler(JettyUtils.createServletHandler(path, new TextPage(type, text), ""));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(type);
        response.setHeader("Cache-Control", "no-cache, no-store, must-revalidate");
        response.getWriter().print(text.get());
    }
}
