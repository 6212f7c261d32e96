package org.apache.spark.hpc.weaver;

/** Checks our side of a site. Each method returns, or refuses with a {@link WeaveException}. */
interface Replacements {

    /** Requires that ours extends the target and has a public constructor with this descriptor. */
    void requireSubclass(Site site, String constructorDescriptor);

    /** Requires that ours is a public static method with this descriptor. */
    void requireStatic(Site site, String descriptor);

    /** Checks nothing, for a load-time agent whose build has already done it. */
    Replacements CHECKED_AT_BUILD = new Replacements() {
        @Override
        public void requireSubclass(Site site, String constructorDescriptor) {}

        @Override
        public void requireStatic(Site site, String descriptor) {}
    };
}
