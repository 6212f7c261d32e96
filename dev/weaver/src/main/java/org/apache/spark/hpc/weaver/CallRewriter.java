package org.apache.spark.hpc.weaver;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Kind {@code call}: calls our static method instead of the target. The receiver is the first argument. */
final class CallRewriter extends MethodVisitor {
    private final Site site;
    private final Replacements replacements;
    private final Runnable matched;

    CallRewriter(Site site, MethodVisitor out, Replacements replacements, Runnable matched) {
        super(ClassWeaver.API, out);
        this.site = site;
        this.replacements = replacements;
        this.matched = matched;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        boolean matches = owner.equals(site.targetOwner())
                && name.equals(site.targetMethod())
                && descriptor.equals(site.targetDescriptor());
        if (matches) {
            matched.run();
        }
        if (!matches || site.isLeftAlone()) {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            return;
        }
        if (opcode == Opcodes.INVOKESPECIAL) {
            throw new WeaveException(
                    "%s.%s calls %s as a super or private method: a static method cannot replace it",
                    site.owner, site.method, site.target);
        }
        String standIn = Site.standInDescriptor(owner, opcode == Opcodes.INVOKESTATIC, descriptor);
        replacements.requireStatic(site, standIn);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, site.oursOwner(), site.oursMethod(), standIn, false);
    }
}
