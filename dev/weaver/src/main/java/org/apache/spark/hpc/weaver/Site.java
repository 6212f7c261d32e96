package org.apache.spark.hpc.weaver;

import java.lang.invoke.MethodType;
import java.util.Locale;
import java.util.Objects;
import org.objectweb.asm.Type;

/**
 * One place in Spark's bytecode and what it is re-pointed to: a line of a {@code *.sites} file.
 *
 * <pre>
 * line   = class method kind target ours count      ; separated by blanks
 * class  = dotted binary name of the stock class, e.g. org.apache.spark.SparkEnv$
 * method = name [ descriptor ]                      ; no descriptor: every overload
 * kind   = "new" | "call" | "prologue"
 * target = class                                    ; new: the class constructed today
 *        | class "#" name descriptor                ; call: the method called today
 *        | "-"                                      ; prologue: the method itself
 * ours   = class                                    ; new: the subclass to construct instead
 *        | class "#" name                           ; call, prologue: a public static method
 *        | "-"                                      ; the site is known and left alone on purpose
 * count  = how many places match, exactly
 * </pre>
 *
 * <p>The static method of a {@code call} takes the receiver (if there is one), then the arguments,
 * and returns what the target returns. The hook of a {@code prologue} takes the same. Its return type
 * is the method's, boxed when primitive, or boolean for a void method. To decline, so that Spark's own
 * body runs, the hook returns {@code null} or, for a void method, {@code false}.
 */
final class Site {
    enum Kind {
        NEW,
        CALL,
        PROLOGUE
    }

    static final String LEFT_ALONE = "-";

    final String owner;
    final String method;
    final String methodDescriptor;
    final Kind kind;
    final String target;
    final String ours;
    final int count;

    private Site(String owner, String method, Kind kind, String target, String ours, int count) {
        int paren = method.indexOf('(');
        this.owner = owner;
        this.method = paren < 0 ? method : method.substring(0, paren);
        this.methodDescriptor = paren < 0 ? null : method.substring(paren);
        this.kind = kind;
        this.target = target;
        this.ours = ours;
        this.count = count;
    }

    /** Reads one line; a refusal says which column is wrong and what it may hold. */
    static Site parse(String line) {
        String[] column = line.trim().split("\\s+");
        if (column.length != 6) {
            throw new WeaveException(
                    "%d columns instead of 6 (class, method, kind, target, ours, count)", column.length);
        }
        Kind kind = parseKind(column[2]);
        checkNames(kind, column[3], column[4]);
        return new Site(column[0], column[1], kind, column[3], column[4], parseCount(column[5]));
    }

    private static Kind parseKind(String text) {
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(text)) {
                return kind;
            }
        }
        throw new WeaveException("kind '%s' is none of: new, call, prologue", text);
    }

    private static void checkNames(Kind kind, String target, String ours) {
        boolean leftAlone = ours.equals(LEFT_ALONE);
        switch (kind) {
            case NEW:
                require(!target.contains("#"), "target '%s' of a new must be a class", target);
                require(!ours.contains("#"), "ours '%s' of a new must be a class", ours);
                break;
            case CALL:
                require(
                        target.matches("[^#]+#[^#(]+\\(.*\\).+"),
                        "target '%s' of a call must be class#name(arguments)result",
                        target);
                require(leftAlone || ours.matches("[^#]+#[^#(]+"), "ours '%s' of a call must be class#method", ours);
                break;
            default:
                require(target.equals("-"), "target '%s' of a prologue must be '-'", target);
                require(ours.matches("[^#]+#[^#(]+"), "ours '%s' of a prologue must be class#method", ours);
        }
    }

    private static int parseCount(String text) {
        require(text.matches("[1-9][0-9]{0,4}"), "count '%s' must be a whole number from 1", text);
        return Integer.parseInt(text);
    }

    private static void require(boolean condition, String message, String value) {
        if (!condition) {
            throw new WeaveException(message, value);
        }
    }

    boolean isLeftAlone() {
        return ours.equals(LEFT_ALONE);
    }

    /**
     * Whether a target is used everywhere (the JDK's classes, Spark's settings). Unlisted uses of it aren't forgotten
     * sites.
     */
    static boolean isUsedEverywhere(String target) {
        return target.startsWith("java.") || target.startsWith("org.apache.spark.SparkConf#");
    }

    boolean matchesMethod(String name, String descriptor) {
        return method.equals(name) && (methodDescriptor == null || methodDescriptor.equals(descriptor));
    }

    /** The class part of {@link #target}, as it stands in bytecode (slashes). */
    String targetOwner() {
        return internal(classOf(target));
    }

    String targetMethod() {
        return target.substring(target.indexOf('#') + 1, target.indexOf('('));
    }

    String targetDescriptor() {
        return target.substring(target.indexOf('('));
    }

    /** The class part of {@link #ours}, as it stands in bytecode (slashes). */
    String oursOwner() {
        return internal(classOf(ours));
    }

    String oursMethod() {
        return ours.substring(ours.indexOf('#') + 1);
    }

    /** The descriptor of our hook for a method with this descriptor: see the class comment. */
    static String hookDescriptor(String owner, boolean isStatic, String descriptor) {
        Type result = Type.getReturnType(descriptor);
        String hookResult =
                result.getSort() == Type.VOID ? "Z" : isPrimitive(result) ? boxed(result) : result.getDescriptor();
        return withReceiver(owner, isStatic, descriptor, hookResult);
    }

    static boolean isPrimitive(Type type) {
        return type.getSort() >= Type.BOOLEAN && type.getSort() <= Type.DOUBLE;
    }

    /** The descriptor of the wrapper class, e.g. {@code Ljava/lang/Integer;} for {@code I}. */
    private static String boxed(Type primitive) {
        MethodType of = MethodType.fromMethodDescriptorString("()" + primitive.getDescriptor(), null);
        return of.wrap().toMethodDescriptorString().substring("()".length());
    }

    /** The descriptor of a static method that stands in for {@code owner.name descriptor}. */
    static String standInDescriptor(String owner, boolean isStatic, String descriptor) {
        return withReceiver(
                owner, isStatic, descriptor, Type.getReturnType(descriptor).getDescriptor());
    }

    private static String withReceiver(String owner, boolean isStatic, String descriptor, String result) {
        String arguments = descriptor.substring(1, descriptor.lastIndexOf(')'));
        return "(" + (isStatic ? "" : "L" + owner + ";") + arguments + ")" + result;
    }

    static String internal(String dotted) {
        return dotted.replace('.', '/');
    }

    static String dotted(String internal) {
        return internal.replace('/', '.');
    }

    private static String classOf(String name) {
        int hash = name.indexOf('#');
        return hash < 0 ? name : name.substring(0, hash);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Site && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return Objects.hash(owner, method, kind, target);
    }

    /** The line of the site list, with single blanks. */
    @Override
    public String toString() {
        return String.join(
                " ",
                owner,
                method + (methodDescriptor == null ? "" : methodDescriptor),
                kind.name().toLowerCase(Locale.ROOT),
                target,
                ours,
                Integer.toString(count));
    }
}
