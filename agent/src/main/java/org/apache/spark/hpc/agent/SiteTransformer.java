package org.apache.spark.hpc.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.apache.spark.hpc.weaver.LoadTimeWeaver;
import org.apache.spark.hpc.weaver.SiteList;

/** Re-points the sites of each listed class as the JVM loads it. */
final class SiteTransformer implements ClassFileTransformer {
    private final LoadTimeWeaver weaver;

    SiteTransformer(SiteList sites) {
        this.weaver = new LoadTimeWeaver(sites);
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] stock) {
        if (!weaver.hasSitesIn(name)) {
            return null;
        }
        try {
            return weaver.weave(name, stock);
        } catch (Throwable e) {
            // The JVM swallows what a transformer throws, and runs the stock class.
            Agent.refuse(e.getMessage() == null ? e.toString() : e.getMessage());
            return null;
        }
    }
}
