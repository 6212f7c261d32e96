/* Path classes: statistics and faults are kept per class of file name, e.g. shuffle_data.
 *
 * The list is "name=glob,name=glob,...", tried in order on the last component of a path; what none
 * matches is class 0, "other". A name may stand there with several globs. A file's class follows
 * its name when it is renamed.
 */
#ifndef PFS_CLASSES_H
#define PFS_CLASSES_H

#include <stdbool.h>

enum { CLASS_OTHER = 0, CLASS_MAX = 16 };

/* Replaces the list; false, and nothing changed, when it is malformed or too long. Counts that were
 * kept under the former list are the caller's to reset. */
bool classes_set(const char *list);
const char *classes_get(void);

int class_of(const char *name);
int class_count(void);
const char *class_name(int cls);

/* The class of that name, or -1. */
int class_named(const char *name);

#endif
