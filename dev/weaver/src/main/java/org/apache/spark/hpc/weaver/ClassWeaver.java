package org.apache.spark.hpc.weaver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Rewrites the sites of one class and leaves every other byte of its methods as it was.
 *
 * <ol>
 *   <li>A site that matches more or fewer places than its line says is refused.
 *   <li>No frame is recomputed and no class is loaded, so the result doesn't depend on a class path.
 *   <li>Methods without a site are copied unchanged.
 * </ol>
 */
final class ClassWeaver {
    static final int API = Opcodes.ASM9;

    private final List<Site> sites;
    private final Replacements replacements;
    private final Map<Site, Integer> matches = new LinkedHashMap<>();

    /**
     * @param sites all sites of the one class that {@link #weave} is given
     * @param replacements checks that the class or method that replaces a target exists and fits
     */
    ClassWeaver(List<Site> sites, Replacements replacements) {
        this.sites = sites;
        this.replacements = replacements;
    }

    /** Returns the class with its sites re-pointed. Throws a {@link WeaveException} if a count differs. */
    byte[] weave(byte[] stock) {
        matches.clear();
        ClassReader reader = new ClassReader(stock);
        // Handing the reader over lets ASM copy untouched methods and the constant pool.
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Rewriter(writer), 0);
        for (Site site : sites) {
            int found = matches.getOrDefault(site, 0);
            if (found != site.count) {
                throw new WeaveException(
                        "%s.%s: %d places match '%s', the list says %d: Spark changed or the line is wrong",
                        site.owner, site.method, found, site, site.count);
            }
        }
        return writer.toByteArray();
    }

    private final class Rewriter extends ClassVisitor {
        private String owner;

        Rewriter(ClassVisitor out) {
            super(API, out);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] traits) {
            owner = name;
            super.visit(version, access, name, signature, parent, traits);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, thrown);
            for (Site site : sitesOf(name, descriptor)) {
                method = rewriter(site, method, access, name, descriptor);
            }
            return method;
        }

        private MethodVisitor rewriter(Site site, MethodVisitor out, int access, String name, String descriptor) {
            Runnable matched = () -> matches.merge(site, 1, Integer::sum);
            switch (site.kind) {
                case NEW:
                    return new NewRewriter(site, out, replacements, matched);
                case CALL:
                    return new CallRewriter(site, out, replacements, matched);
                default:
                    matched.run();
                    return Prologue.before(site, out, replacements, owner, access, name, descriptor);
            }
        }
    }

    private List<Site> sitesOf(String name, String descriptor) {
        List<Site> here = new ArrayList<>();
        for (Site site : sites) {
            if (site.matchesMethod(name, descriptor)) {
                here.add(site);
            }
        }
        return here;
    }
}
