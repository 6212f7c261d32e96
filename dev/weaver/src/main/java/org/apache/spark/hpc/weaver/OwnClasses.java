package org.apache.spark.hpc.weaver;

import org.objectweb.asm.Opcodes;

/** {@link Replacements} checked against our compiled classes and the stock jar's. */
final class OwnClasses implements Replacements {
    private final ClassSet own;
    private final ClassSet stock;

    OwnClasses(ClassSet own, ClassSet stock) {
        this.own = own;
        this.stock = stock;
    }

    @Override
    public void requireSubclass(Site site, String constructorDescriptor) {
        ClassSet.Outline ours = requireOwn(site);
        if (!own.supertypes(ours.name, stock).contains(site.targetOwner())) {
            throw new WeaveException(
                    "%s does not extend %s, so it cannot be constructed in its place", site.ours, site.target);
        }
        if (ours.isAbstract()) {
            throw new WeaveException("%s is abstract, so it cannot be constructed", site.ours);
        }
        if (!ours.has("<init>" + constructorDescriptor, Opcodes.ACC_PUBLIC)) {
            throw new WeaveException(
                    "%s has no public constructor %s, which %s.%s calls",
                    site.ours, constructorDescriptor, site.owner, site.method);
        }
    }

    @Override
    public void requireStatic(Site site, String descriptor) {
        ClassSet.Outline ours = requireOwn(site);
        if (!ours.has(site.oursMethod() + descriptor, Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC)) {
            throw new WeaveException(
                    "%s is no public static method with descriptor %s, which %s.%s needs",
                    site.ours, descriptor, site.owner, site.method);
        }
    }

    private ClassSet.Outline requireOwn(Site site) {
        ClassSet.Outline ours = own.get(site.oursOwner());
        if (ours == null) {
            throw new WeaveException(
                    "%s is not among our classes: compile it, or correct the line '%s'",
                    Site.dotted(site.oursOwner()), site);
        }
        return ours;
    }
}
