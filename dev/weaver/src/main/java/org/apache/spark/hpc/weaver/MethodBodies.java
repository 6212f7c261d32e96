package org.apache.spark.hpc.weaver;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceMethodVisitor;

/**
 * Hashes of one class's methods, by name + descriptor. A hash covers what the method does: its instructions and those
 * of the lambdas that it creates, as text, without line numbers and debug names.
 */
final class MethodBodies {
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, Set<String>> lambdas = new LinkedHashMap<>();

    MethodBodies(byte[] classBytes) {
        ClassReader reader = new ClassReader(classBytes);
        reader.accept(new Reader(reader.getClassName()), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    /** The method's hash, or null when the class doesn't declare it. */
    String hash(String nameAndDescriptor) {
        if (!texts.containsKey(nameAndDescriptor)) {
            return null;
        }
        Set<String> reached = new LinkedHashSet<>();
        reach(nameAndDescriptor, reached);
        StringBuilder text = new StringBuilder();
        reached.forEach(method -> text.append(texts.get(method)));
        return Sha256.of(text.toString());
    }

    private void reach(String method, Set<String> reached) {
        if (texts.containsKey(method) && reached.add(method)) {
            lambdas.get(method).forEach(lambda -> reach(lambda, reached));
        }
    }

    private final class Reader extends ClassVisitor {
        private final String owner;

        Reader(String owner) {
            super(ClassWeaver.API);
            this.owner = owner;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] e) {
            String method = name + descriptor;
            Textifier text = new Textifier();
            Set<String> created = new LinkedHashSet<>();
            lambdas.put(method, created);
            MethodVisitor collector = new MethodVisitor(ClassWeaver.API) {
                @Override
                public void visitInvokeDynamicInsn(String n, String d, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle
                                && ((Handle) argument).getOwner().equals(owner)) {
                            created.add(((Handle) argument).getName() + ((Handle) argument).getDesc());
                        }
                    }
                }

                @Override
                public void visitEnd() {
                    texts.put(method, text.getText().toString());
                }
            };
            return new TraceMethodVisitor(collector, text);
        }
    }
}
