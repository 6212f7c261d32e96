package org.apache.spark.hpc.weaver;

import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Makes our class the parent of a test's subclass of a target, such as an anonymous
 * {@code new MemoryStore(...) { override ... }}.
 *
 * <p>Two things change: the parent's name, and the owner of the constructor called by {@code super(...)}. Calls of
 * {@code super.method} need no change: the JVM looks them up from the direct superclass, whatever class they name.
 */
final class Reparenting {
    private final SitesOfTests sites;
    private final ClassSet patched;

    Reparenting(SitesOfTests sites, ClassSet patched) {
        this.sites = sites;
        this.patched = patched;
    }

    /**
     * Returns the class with our class as its parent. Refuses one that can't have that parent. Returns a class that
     * extends no target unchanged.
     */
    byte[] apply(byte[] test) {
        ClassReader reader = new ClassReader(test);
        String target = reader.getSuperName();
        String ours = sites.oursInternal(target);
        if (ours == null) {
            return test;
        }
        ClassSet own = new ClassSet();
        own.add(test);
        refuseFinal(own.get(reader.getClassName()), target, ours);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Rewriter(writer, target, ours), 0);
        return writer.toByteArray();
    }

    private void refuseFinal(ClassSet.Outline test, String target, String ours) {
        ClassSet.Outline parent = patched.get(ours);
        if (parent == null || !patched.supertypes(ours, patched).contains(target)) {
            throw new WeaveException("%s is not a class that extends %s", Site.dotted(ours), Site.dotted(target));
        }
        if ((parent.access & Opcodes.ACC_FINAL) != 0) {
            throw new WeaveException(
                    "%s is final, so the test's %s cannot extend it", Site.dotted(ours), Site.dotted(test.name));
        }
        for (Map.Entry<String, Integer> method : test.methods.entrySet()) {
            boolean inherits = (method.getValue() & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0;
            if (inherits && !method.getKey().startsWith("<") && parent.has(method.getKey(), Opcodes.ACC_FINAL)) {
                throw new WeaveException(
                        "the test's %s overrides %s, which is final in %s",
                        Site.dotted(test.name), method.getKey(), Site.dotted(ours));
            }
        }
    }

    private final class Rewriter extends ClassVisitor {
        private final String target;
        private final String ours;

        Rewriter(ClassVisitor out, String target, String ours) {
            super(ClassWeaver.API, out);
            this.target = target;
            this.ours = ours;
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] traits) {
            super.visit(version, access, name, signature, ours, traits);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor out = super.visitMethod(access, name, descriptor, signature, thrown);
            return name.equals("<init>") ? new Constructor(out, target, ours) : out;
        }
    }

    /**
     * Re-points the call of {@code super(...)}. The weave of the sites re-points NEW of the target and its constructor
     * call.
     */
    private final class Constructor extends MethodVisitor {
        private final String target;
        private final String ours;
        private int allocated;

        Constructor(MethodVisitor out, String target, String ours) {
            super(ClassWeaver.API, out);
            this.target = target;
            this.ours = ours;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW && type.equals(target)) {
                allocated++;
            }
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean constructs = opcode == Opcodes.INVOKESPECIAL && owner.equals(target) && name.equals("<init>");
            if (constructs && allocated > 0) {
                allocated--;
            } else if (constructs) {
                if (!patched.get(ours).has(name + descriptor, Opcodes.ACC_PUBLIC)) {
                    throw new WeaveException("%s has no public constructor %s", Site.dotted(ours), descriptor);
                }
                super.visitMethodInsn(opcode, ours, name, descriptor, isInterface);
                return;
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }
}
