package org.apache.spark.hpc.weaver;

import java.util.List;
import java.util.Map;

/** Weaves single classes of a Spark whose replacements were checked when the list was built. */
public final class LoadTimeWeaver {
    private final Map<String, List<Site>> sites;

    public LoadTimeWeaver(SiteList list) {
        this.sites = list.byOwner();
    }

    /** @param className as the JVM names it, with slashes; null for a hidden class */
    public boolean hasSitesIn(String className) {
        return className != null && sites.containsKey(className);
    }

    /** The class with its sites re-pointed; throws {@link WeaveException} when a count differs. */
    public byte[] weave(String className, byte[] stock) {
        return new ClassWeaver(sites.get(className), Replacements.CHECKED_AT_BUILD).weave(stock);
    }
}
