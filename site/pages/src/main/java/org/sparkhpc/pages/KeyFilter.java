package org.sparkhpc.pages;

import java.io.IOException;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Lets in who has the cluster's key: the first time as {@code ?key=KEY}, as {@code spark-hpc start} prints
 * the address, and from then on by a cookie; a program, such as Prometheus, by {@code Authorization: Bearer KEY}. Everybody
 * else gets 403.
 *
 * <p>One of {@code spark.ui.filters}; its parameter has a name by which Spark redacts it on its pages.
 */
public final class KeyFilter implements Filter {
    static final String PARAMETER = "token";
    static final String IN_ADDRESS = "key";
    static final String COOKIE = "spark-hpc";
    static final String BEARER = "Bearer ";
    static final String SAME_SITE = "__SAME_SITE_STRICT__";

    private String text;
    private Key key;

    @Override
    public void init(FilterConfig config) throws ServletException {
        text = config.getInitParameter(PARAMETER);
        if (text == null || text.isEmpty()) {
            throw new ServletException("spark." + KeyFilter.class.getName() + ".param." + PARAMETER
                    + " is missing: spark-hpc start sets it");
        }
        key = new Key(text);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        if (hasCookie(asked) || key.is(bearer(asked))) {
            chain.doFilter(request, response);
        } else if (key.is(asked.getParameter(IN_ADDRESS))) {
            Cookie cookie = new Cookie(COOKIE, text);
            cookie.setPath("/");
            cookie.setHttpOnly(true);
            // Of servlets only Jetty's, which is Spark's, can say so: no other site's page may act in its user's name.
            cookie.setComment(SAME_SITE);
            answer.addCookie(cookie);
            // Out of the address line, and of what the browser remembers.
            answer.sendRedirect(asked.getRequestURI());
        } else {
            answer.sendError(
                    HttpServletResponse.SC_FORBIDDEN,
                    "the address needs ?key=KEY: start and status of spark-hpc say where the key is");
        }
    }

    private boolean hasCookie(HttpServletRequest asked) {
        Cookie[] cookies = asked.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(COOKIE) && key.is(cookie.getValue())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The credentials of RFC 6750; null if there are none. */
    private static String bearer(HttpServletRequest asked) {
        String sent = asked.getHeader("Authorization");
        boolean isBearer = sent != null && sent.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return isBearer ? sent.substring(BEARER.length()).trim() : null;
    }

    @Override
    public void destroy() {}
}
