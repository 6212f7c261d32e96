package org.apache.spark.hpc.weaver;

/** Answers for our side of a site; each method returns or refuses with a {@link WeaveException}. */
interface Replacements {

    /** Ours extends the target and has a public constructor with this descriptor. */
    void requireSubclass(Site site, String constructorDescriptor);

    /** Ours is a public static method with this descriptor. */
    void requireStatic(Site site, String descriptor);

    /** For a load-time agent whose build has already been checked. */
    Replacements CHECKED_AT_BUILD = new Replacements() {
        @Override
        public void requireSubclass(Site site, String constructorDescriptor) {}

        @Override
        public void requireStatic(Site site, String descriptor) {}
    };
}
