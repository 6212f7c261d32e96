package org.apache.spark.hpc.weaver;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The Spark methods on which our code relies, with a hash of each body. If another Spark release changes one of them,
 * our code that relies on it has to be read again.
 */
final class SparkMethods {
    private final Map<String, byte[]> stockBytes;
    private final ClassSet stock;
    private final ClassSet own;
    private final TreeMap<String, TreeSet<String>> wanted = new TreeMap<>();

    SparkMethods(Map<String, byte[]> stockBytes, ClassSet stock, ClassSet own) {
        this.stockBytes = stockBytes;
        this.stock = stock;
        this.own = own;
    }

    /** The methods on which classes rely that aren't woven into one of Spark's jars, as the other method lists them. */
    static TreeSet<String> hashes(Map<String, byte[]> ownClasses, Map<String, byte[]> stockClasses) {
        ClassSet stock = JarWeaver.outlines(stockClasses.values());
        ClassSet own = JarWeaver.outlines(ownClasses.values());
        return new SparkMethods(stockClasses, stock, own)
                .hashes(ownClasses.values(), SiteList.of(Collections.emptyList()));
    }

    /** Lines {@code relation class name+descriptor sha256}; relation is woven, overridden or called. */
    TreeSet<String> hashes(Collection<byte[]> ownClasses, SiteList sites) {
        wanted.clear();
        for (Site site : sites.all()) {
            ClassSet.Outline owner = stock.get(Site.internal(site.owner));
            for (String method : owner.methods.keySet()) {
                int paren = method.indexOf('(');
                if (site.matchesMethod(method.substring(0, paren), method.substring(paren))) {
                    want("woven", owner.name, method);
                }
            }
        }
        for (byte[] bytes : ownClasses) {
            new ClassReader(bytes).accept(new OwnScan(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }
        TreeSet<String> lines = new TreeSet<>();
        wanted.forEach((owner, methods) -> hash(owner, methods, lines));
        return lines;
    }

    private void want(String relation, String owner, String method) {
        wanted.computeIfAbsent(owner, k -> new TreeSet<>()).add(relation + " " + method);
    }

    /** Notes the method in the class that declares it, looking upwards from {@code start}. */
    private void wantDeclared(String relation, String start, String method) {
        if (declares(start, method)) {
            want(relation, start, method);
            return;
        }
        for (String supertype : own.supertypes(start, stock)) {
            if (declares(supertype, method)) {
                want(relation, supertype, method);
                return;
            }
        }
    }

    private boolean declares(String type, String method) {
        ClassSet.Outline outline = stock.get(type);
        return outline != null && outline.methods.containsKey(method);
    }

    private void hash(String owner, TreeSet<String> methods, TreeSet<String> lines) {
        MethodBodies bodies = new MethodBodies(stockBytes.get(owner));
        for (String entry : methods) {
            int blank = entry.indexOf(' ');
            String relation = entry.substring(0, blank);
            String method = entry.substring(blank + 1);
            lines.add(String.join(" ", relation, Site.dotted(owner), method, bodies.hash(method)));
        }
    }

    /** Collects the methods that one of our classes overrides and calls. */
    private final class OwnScan extends ClassVisitor {
        private String owner;

        OwnScan() {
            super(ClassWeaver.API);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] traits) {
            owner = name;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] e) {
            boolean inherits = (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0 && !name.equals("<init>");
            if (inherits) {
                wantDeclared("overridden", owner, name + descriptor);
            }
            return new MethodVisitor(ClassWeaver.API) {
                @Override
                public void visitMethodInsn(
                        int opcode, String type, String name, String descriptor, boolean isInterface) {
                    wantDeclared("called", type, name + descriptor);
                }
            };
        }
    }
}
