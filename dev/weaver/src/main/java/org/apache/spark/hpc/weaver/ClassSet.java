package org.apache.spark.hpc.weaver;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Facts about a set of classes, read from their bytes: supertypes and declared methods. */
final class ClassSet {

    /** A class's outline; {@code methods} maps name + descriptor to access flags. */
    static final class Outline {
        final String name;
        final int access;
        final List<String> supertypes;
        final Map<String, Integer> methods;

        private Outline(String name, int access, List<String> supertypes, Map<String, Integer> methods) {
            this.name = name;
            this.access = access;
            this.supertypes = supertypes;
            this.methods = methods;
        }

        boolean isAbstract() {
            return (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0;
        }

        boolean has(String nameAndDescriptor, int flags) {
            Integer access = methods.get(nameAndDescriptor);
            return access != null && (access & flags) == flags;
        }
    }

    private final Map<String, Outline> outlines = new TreeMap<>();

    void add(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        List<String> supertypes = new ArrayList<>();
        if (reader.getSuperName() != null) {
            supertypes.add(reader.getSuperName());
        }
        Collections.addAll(supertypes, reader.getInterfaces());
        Map<String, Integer> methods = new TreeMap<>();
        reader.accept(
                new ClassVisitor(ClassWeaver.API) {
                    @Override
                    public MethodVisitor visitMethod(int access, String name, String descriptor, String s, String[] e) {
                        methods.put(name + descriptor, access);
                        return null;
                    }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        String name = reader.getClassName();
        outlines.put(name, new Outline(name, reader.getAccess(), supertypes, methods));
    }

    /** The class with this internal name, or null. */
    Outline get(String name) {
        return outlines.get(name);
    }

    /** All supertypes of a class, nearest first, as far as {@code wider} and this set know them. */
    Set<String> supertypes(String name, ClassSet wider) {
        Set<String> seen = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(name);
        while (!open.isEmpty()) {
            String next = open.remove();
            Outline outline = outlines.getOrDefault(next, wider.outlines.get(next));
            if (outline != null) {
                for (String supertype : outline.supertypes) {
                    if (seen.add(supertype)) {
                        open.add(supertype);
                    }
                }
            }
        }
        return seen;
    }
}
