#include "classes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 1024, GLOB_MAX = 32 };

/* Spark's scratch files, by the names that its DiskBlockManager and block ids give them. */
static char text[LIST_BYTES];
static char cut[LIST_BYTES];
static const char *names[CLASS_MAX] = {"other"};
static int count = 1;

static struct glob {
  const char *pattern;
  int cls;
} globs[GLOB_MAX];
static int glob_count = 0;

static int found(const char *const *list, int length, const char *name) {
  for (int i = 0; i < length; i++)
    if (strcmp(list[i], name) == 0)
      return i;
  return -1;
}

bool classes_set(const char *list) {
  char copy[LIST_BYTES];
  const char *new_names[CLASS_MAX] = {"other"};
  struct glob new_globs[GLOB_MAX];
  int n = 1, m = 0;
  if (strlen(list) >= LIST_BYTES)
    return false;
  strcpy(copy, list);
  char *rest = NULL;
  for (char *item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
    char *equals = strchr(item, '=');
    if (!equals || equals == item || !equals[1] || m == GLOB_MAX)
      return false;
    *equals = 0;
    int cls = found(new_names, n, item);
    if (cls < 0 && n == CLASS_MAX)
      return false;
    if (cls < 0)
      new_names[cls = n++] = item;
    new_globs[m++] = (struct glob){equals + 1, cls};
  }
  strcpy(text, list);
  memcpy(cut, copy, LIST_BYTES);
  for (int i = 1; i < n; i++)
    names[i] = cut + (new_names[i] - copy);
  for (int i = 0; i < m; i++)
    globs[i] = (struct glob){cut + (new_globs[i].pattern - copy), new_globs[i].cls};
  count = n;
  glob_count = m;
  return true;
}

const char *classes_get(void) { return text; }

int class_of(const char *name) {
  for (int i = 0; i < glob_count; i++)
    if (fnmatch(globs[i].pattern, name, 0) == 0)
      return globs[i].cls;
  return CLASS_OTHER;
}

int class_count(void) { return count; }

const char *class_name(int cls) { return names[cls]; }

int class_named(const char *name) { return found(names, count, name); }
