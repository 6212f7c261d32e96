package org.apache.spark.hpc.weaver;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Kind {@code new}: constructs our subclass where the method constructs the target.
 *
 * <p>Two instructions change per place, NEW and the INVOKESPECIAL of the constructor. Frames still name the target. A
 * verifier accepts that because our class is assignable to it.
 */
final class NewRewriter extends MethodVisitor {
    private final Site site;
    private final String target;
    private final Replacements replacements;
    private final Runnable matched;
    private int allocations;
    private int constructorCalls;

    NewRewriter(Site site, MethodVisitor out, Replacements replacements, Runnable matched) {
        super(ClassWeaver.API, out);
        this.site = site;
        this.target = site.targetOwner();
        this.replacements = replacements;
        this.matched = matched;
    }

    private String created() {
        return site.isLeftAlone() ? target : site.oursOwner();
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW && type.equals(target)) {
            allocations++;
            matched.run();
            super.visitTypeInsn(opcode, created());
        } else {
            super.visitTypeInsn(opcode, type);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (opcode == Opcodes.INVOKESPECIAL && owner.equals(target) && name.equals("<init>")) {
            constructorCalls++;
            if (!site.isLeftAlone()) {
                replacements.requireSubclass(site, descriptor);
            }
            super.visitMethodInsn(opcode, created(), name, descriptor, isInterface);
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }

    @Override
    public void visitEnd() {
        // A constructor calls its superclass's constructor by the same instruction, without a NEW before it.
        if (allocations != constructorCalls) {
            throw new WeaveException(
                    "%s.%s: %d allocations but %d constructor calls of %s: cannot re-point super(...) or this(...)",
                    site.owner, site.method, allocations, constructorCalls, site.target);
        }
        super.visitEnd();
    }
}
