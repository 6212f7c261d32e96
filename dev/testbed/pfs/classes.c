#include "classes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 1024 };

/* Spark's scratch files, by the names that its DiskBlockManager and block ids give them. */
static char text[LIST_BYTES];
static char cut[LIST_BYTES];
static const char *names[CLASS_MAX] = {"other"};
static const char *globs[CLASS_MAX];
static int count = 1;

bool classes_set(const char *list) {
  char copy[LIST_BYTES];
  const char *new_names[CLASS_MAX] = {"other"};
  const char *new_globs[CLASS_MAX] = {NULL};
  int n = 1;
  if (strlen(list) >= LIST_BYTES)
    return false;
  strcpy(copy, list);
  char *rest = NULL;
  for (char *item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
    char *equals = strchr(item, '=');
    if (!equals || equals == item || !equals[1] || n == CLASS_MAX)
      return false;
    *equals = 0;
    new_names[n] = item;
    new_globs[n++] = equals + 1;
  }
  strcpy(text, list);
  memcpy(cut, copy, LIST_BYTES);
  for (int i = 1; i < n; i++) {
    names[i] = cut + (new_names[i] - copy);
    globs[i] = cut + (new_globs[i] - copy);
  }
  count = n;
  return true;
}

const char *classes_get(void) { return text; }

int class_of(const char *name) {
  for (int i = 1; i < count; i++)
    if (fnmatch(globs[i], name, 0) == 0)
      return i;
  return CLASS_OTHER;
}

int class_count(void) { return count; }

const char *class_name(int cls) { return names[cls]; }

int class_named(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  return -1;
}
