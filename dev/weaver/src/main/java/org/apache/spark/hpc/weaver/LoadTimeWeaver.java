package org.apache.spark.hpc.weaver;

import java.util.List;
import java.util.Map;

/** Weaves single classes as a JVM loads them. The build of the site list has already checked the replacements. */
public final class LoadTimeWeaver {
    private final Map<String, List<Site>> sites;

    public LoadTimeWeaver(SiteList list) {
        this.sites = list.byOwner();
    }

    /** @param className as the JVM names it, with slashes; null for a hidden class */
    public boolean hasSitesIn(String className) {
        return className != null && sites.containsKey(className);
    }

    /** Returns the class with its sites re-pointed. Throws a {@link WeaveException} if a count differs. */
    public byte[] weave(String className, byte[] stock) {
        return new ClassWeaver(sites.get(className), Replacements.CHECKED_AT_BUILD).weave(stock);
    }
}
