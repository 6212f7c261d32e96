package org.apache.spark.hpc.weaver;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The wrapper classes of primitive types, and the bytecode that unboxes them. */
final class Boxing {
    private Boxing() {}

    static boolean isPrimitive(Type type) {
        return type.getSort() >= Type.BOOLEAN && type.getSort() <= Type.DOUBLE;
    }

    /** The descriptor of the wrapper, e.g. {@code Ljava/lang/Integer;} for {@code I}. */
    static String boxed(Type primitive) {
        return "L" + wrapper(primitive) + ";";
    }

    static void unbox(MethodVisitor out, Type primitive) {
        String getter = primitive.getClassName() + "Value";
        String descriptor = "()" + primitive.getDescriptor();
        out.visitMethodInsn(Opcodes.INVOKEVIRTUAL, wrapper(primitive), getter, descriptor, false);
    }

    private static String wrapper(Type primitive) {
        switch (primitive.getSort()) {
            case Type.INT:
                return "java/lang/Integer";
            case Type.CHAR:
                return "java/lang/Character";
            default:
                String name = primitive.getClassName();
                return "java/lang/" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        }
    }
}
