package org.apache.spark.hpc.weaver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Finds the sites of Spark's own test classes: each place that constructs a class that a site list re-points.
 *
 * <p>A list names Spark's places one by one, because each is a change to Spark. In tests every place is re-pointed: a
 * test that constructs a {@code MemoryStore} is about whatever Spark constructs there. Only the JDK's classes stay,
 * because a test that constructs a {@code FileInputStream} means that class.
 */
final class SitesOfTests {
    /** Our class by target, both dotted. */
    private final Map<String, String> oursOf = new LinkedHashMap<>();

    SitesOfTests(SiteList list) {
        for (Site site : list.all()) {
            if (site.kind == Site.Kind.NEW && !site.isLeftAlone() && !Site.isUsedEverywhere(site.target)) {
                String other = oursOf.putIfAbsent(site.target, site.ours);
                if (other != null && !other.equals(site.ours)) {
                    throw new WeaveException(
                            "%s becomes %s at one site and %s at another: cannot tell which one a test means",
                            site.target, other, site.ours);
                }
            }
        }
        if (oursOf.isEmpty()) {
            throw new WeaveException("no site constructs another class, so tests have nothing to re-point");
        }
    }

    /** The class that a test class has to extend instead of {@code parent}, both with slashes; null if none. */
    String oursInternal(String parent) {
        String ours = parent == null ? null : oursOf.get(Site.dotted(parent));
        return ours == null ? null : Site.internal(ours);
    }

    /** The found sites and one more per target, so that a scan with this list finds every other use of a target. */
    SiteList asList(List<Site> found) {
        List<Site> sites = new ArrayList<>(found);
        for (String target : oursOf.keySet()) {
            sites.add(site("-", "-", target, 1));
        }
        return SiteList.of(sites);
    }

    /** The sites of these classes, in order. */
    List<Site> in(Collection<byte[]> classes) {
        List<Site> found = new ArrayList<>();
        for (byte[] bytes : classes) {
            ClassReader reader = new ClassReader(bytes);
            String owner = Site.dotted(reader.getClassName());
            ClassVisitor scan = new ClassVisitor(ClassWeaver.API) {
                @Override
                public MethodVisitor visitMethod(int access, String name, String descriptor, String s, String[] e) {
                    return new Count(owner, name + descriptor, found);
                }
            };
            reader.accept(scan, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }
        return found;
    }

    private Site site(String owner, String method, String target, int count) {
        return Site.parse(String.join(" ", owner, method, "new", target, oursOf.get(target), Integer.toString(count)));
    }

    private final class Count extends MethodVisitor {
        private final String owner;
        private final String method;
        private final List<Site> found;
        private final Map<String, Integer> counts = new LinkedHashMap<>();

        Count(String owner, String method, List<Site> found) {
            super(ClassWeaver.API);
            this.owner = owner;
            this.method = method;
            this.found = found;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            String target = Site.dotted(type);
            if (opcode == Opcodes.NEW && oursOf.containsKey(target)) {
                counts.merge(target, 1, Integer::sum);
            }
        }

        @Override
        public void visitEnd() {
            counts.forEach((target, count) -> found.add(site(owner, method, target, count)));
        }
    }
}
