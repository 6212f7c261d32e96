package org.apache.spark.hpc.weaver;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;

/** Kind {@code prologue}: runs our hook first. Unless it declines, its result is the method's result. */
final class Prologue extends MethodVisitor {
    private final Site site;
    private final String owner;
    private final int access;
    private final boolean isStatic;
    private final String name;
    private final String descriptor;
    private final Type result;

    private Prologue(Site site, MethodVisitor out, String owner, int access, String name, String descriptor) {
        super(ClassWeaver.API, out);
        this.site = site;
        this.owner = owner;
        this.access = access;
        this.isStatic = (access & Opcodes.ACC_STATIC) != 0;
        this.name = name;
        this.descriptor = descriptor;
        this.result = Type.getReturnType(descriptor);
    }

    static MethodVisitor before(
            Site site,
            MethodVisitor out,
            Replacements replacements,
            String owner,
            int access,
            String name,
            String descriptor) {
        if (name.startsWith("<")) {
            throw new WeaveException(
                    "%s.%s: a prologue cannot stand before a constructor, whose object doesn't exist yet",
                    site.owner, name);
        }
        if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
            throw new WeaveException("%s.%s has no body to put a prologue before", site.owner, name);
        }
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        replacements.requireStatic(site, Site.hookDescriptor(owner, isStatic, descriptor));
        return new Prologue(site, out, owner, access, name, descriptor);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        GeneratorAdapter code = new GeneratorAdapter(mv, access, name, descriptor);
        if (!isStatic) {
            code.loadThis();
        }
        code.loadArgs();
        String hook = Site.hookDescriptor(owner, isStatic, descriptor);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, site.oursOwner(), site.oursMethod(), hook, false);
        Label declined = new Label();
        if (result.getSort() == Type.VOID) {
            super.visitJumpInsn(Opcodes.IFEQ, declined);
            super.visitInsn(Opcodes.RETURN);
            super.visitLabel(declined);
            super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            // Two frames must not have the same offset, and the body may begin with a frame of its own.
            super.visitInsn(Opcodes.NOP);
        } else {
            super.visitInsn(Opcodes.DUP);
            super.visitJumpInsn(Opcodes.IFNULL, declined);
            if (Site.isPrimitive(result)) {
                code.unbox(result);
            }
            super.visitInsn(result.getOpcode(Opcodes.IRETURN));
            super.visitLabel(declined);
            Type answer = Type.getReturnType(hook);
            super.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {answer.getInternalName()});
            super.visitInsn(Opcodes.POP);
        }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        int arguments = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
        super.visitMaxs(Math.max(maxStack, Math.max(2, arguments)), maxLocals);
    }
}
