#include "kinds.h"

#include <string.h>

const struct kind_info kinds[KIND_COUNT] = {
#define PFS_INFO(upper, lower, side) {#lower, side},
    PFS_KINDS(PFS_INFO)
#undef PFS_INFO
};

int kind_named(const char *name) {
  for (int k = 0; k < KIND_COUNT; k++)
    if (strcmp(kinds[k].name, name) == 0)
      return k;
  return -1;
}
