package org.apache.spark.hpc.weaver;

import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Makes {@code new SparkConf(false)} in tests load the system properties.
 *
 * <p>Many of Spark's suites ignore all settings of the build in this way, also the setting that a run is to test, such
 * as another shuffle manager. The argument is replaced by {@code true}.
 */
final class LoadedSettings {
    private static final String CONF = "org/apache/spark/SparkConf";

    private final Map<String, Integer> places = new TreeMap<>();

    /** The number of changed places, by class. */
    Map<String, Integer> places() {
        return places;
    }

    /** The class with its places changed, or the same array if it has none. */
    byte[] apply(String name, byte[] test) {
        ClassReader reader = new ClassReader(test);
        ClassWriter writer = new ClassWriter(reader, 0);
        ClassVisitor rewriter = new ClassVisitor(ClassWeaver.API, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String s, String[] e) {
                return new Construction(name, super.visitMethod(access, method, descriptor, s, e));
            }
        };
        reader.accept(rewriter, 0);
        return places.containsKey(name) ? writer.toByteArray() : test;
    }

    private final class Construction extends MethodVisitor {
        private final String owner;

        Construction(String owner, MethodVisitor out) {
            super(ClassWeaver.API, out);
            this.owner = owner;
        }

        @Override
        public void visitMethodInsn(int opcode, String type, String name, String descriptor, boolean isInterface) {
            if (type.equals(CONF) && name.equals("<init>") && descriptor.equals("(Z)V")) {
                places.merge(owner, 1, Integer::sum);
                super.visitInsn(Opcodes.POP);
                super.visitInsn(Opcodes.ICONST_1);
            }
            super.visitMethodInsn(opcode, type, name, descriptor, isInterface);
        }
    }
}
