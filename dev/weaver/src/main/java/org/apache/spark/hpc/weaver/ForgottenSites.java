package org.apache.spark.hpc.weaver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Finds the places of a jar that use a listed target without being listed: another construction or call, a method
 * handle (a lambda's body), a subclass, a class named by a string for reflection.
 *
 * <p>For a target that is used everywhere (of the JDK, of Spark's settings), only the classes that the list names with
 * it are searched.
 */
final class ForgottenSites {
    private final List<Site> sites;
    /** Target classes of kind {@code new}, and targets of kind {@code call} as owner#name descriptor. */
    private final Map<String, String> constructed = new LinkedHashMap<>();

    private final Map<String, String> called = new LinkedHashMap<>();
    private final List<String> found = new ArrayList<>();

    ForgottenSites(SiteList list) {
        this.sites = list.all();
        for (Site site : sites) {
            if (site.kind == Site.Kind.NEW) {
                constructed.put(site.targetOwner(), site.target);
            } else if (site.kind == Site.Kind.CALL) {
                called.put(call(site.targetOwner(), site.targetMethod(), site.targetDescriptor()), site.target);
            }
        }
    }

    /** The forgotten places of these classes, one line for each. */
    List<String> in(Collection<byte[]> classes) {
        found.clear();
        for (byte[] bytes : classes) {
            new ClassReader(bytes).accept(new Scan(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }
        return new ArrayList<>(found);
    }

    private static String call(String owner, String name, String descriptor) {
        return owner + "#" + name + descriptor;
    }

    private boolean listed(String owner, String method, String descriptor, Site.Kind kind, String target) {
        for (Site site : sites) {
            if (site.kind == kind
                    && site.target.equals(target)
                    && Site.internal(site.owner).equals(owner)
                    && site.matchesMethod(method, descriptor)) {
                return true;
            }
        }
        return false;
    }

    private void report(String owner, String target, String what) {
        if (!Site.isUsedEverywhere(target) || isNamedFor(owner, target)) {
            found.add(what);
        }
    }

    private boolean isNamedFor(String owner, String target) {
        return sites.stream()
                .anyMatch(site ->
                        site.target.equals(target) && Site.internal(site.owner).equals(owner));
    }

    private final class Scan extends ClassVisitor {
        private String owner;

        Scan() {
            super(ClassWeaver.API);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] traits) {
            owner = name;
            String target = parent == null ? null : constructed.get(parent);
            if (target != null) {
                report(name, target, Site.dotted(name) + " extends " + target);
            }
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            return new MethodScan(owner, name, descriptor);
        }
    }

    private final class MethodScan extends MethodVisitor {
        private final String owner;
        private final String method;
        private final String descriptor;

        MethodScan(String owner, String method, String descriptor) {
            super(ClassWeaver.API);
            this.owner = owner;
            this.method = method;
            this.descriptor = descriptor;
        }

        private void report(String before, String target, String after) {
            String place = Site.dotted(owner) + "." + method + descriptor;
            ForgottenSites.this.report(owner, target, place + " " + before + target + after);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            String target = constructed.get(type);
            if (opcode == Opcodes.NEW && target != null && !listed(owner, method, descriptor, Site.Kind.NEW, target)) {
                report("constructs ", target, "");
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String type, String name, String descriptor, boolean isInterface) {
            String target = called.get(call(type, name, descriptor));
            if (target != null && !listed(owner, method, this.descriptor, Site.Kind.CALL, target)) {
                report("calls ", target, "");
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            visitConstants(arguments);
        }

        @Override
        public void visitLdcInsn(Object value) {
            visitConstants(value);
        }

        private void visitConstants(Object... values) {
            for (Object value : values) {
                if (value instanceof Handle) {
                    visitHandle((Handle) value);
                } else if (value instanceof ConstantDynamic) {
                    ConstantDynamic constant = (ConstantDynamic) value;
                    for (int i = 0; i < constant.getBootstrapMethodArgumentCount(); i++) {
                        visitConstants(constant.getBootstrapMethodArgument(i));
                    }
                } else if (constructed.containsValue(value)) {
                    report("names ", (String) value, " in a string");
                }
            }
        }

        private void visitHandle(Handle handle) {
            boolean constructor = handle.getTag() == Opcodes.H_NEWINVOKESPECIAL;
            if (constructor && constructed.containsKey(handle.getOwner())) {
                report("holds a method handle that constructs ", constructed.get(handle.getOwner()), "");
            }
            String target = called.get(call(handle.getOwner(), handle.getName(), handle.getDesc()));
            if (target != null) {
                report("holds a method handle of ", target, "");
            }
        }
    }
}
