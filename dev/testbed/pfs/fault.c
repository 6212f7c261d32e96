#include "fault.h"

#include <errno.h>
#include <string.h>

enum { MAX_FAULTS = 64 };

static struct fault rules[MAX_FAULTS];
static int count;

bool fault_add(struct fault rule) {
  if (count == MAX_FAULTS)
    return false;
  rules[count++] = rule;
  return true;
}

void fault_clear(void) { count = 0; }

static bool matches(const struct fault *f, int client, int kind, int cls) {
  return (f->kind == ANY || f->kind == kind) && (f->cls == ANY || f->cls == cls) &&
         (f->client == ANY || f->client == client) && f->times != 0;
}

int fault_of(int client, enum kind kind, int cls) {
  for (int i = 0; i < count; i++) {
    struct fault *f = &rules[i];
    if (!matches(f, client, (int)kind, cls))
      continue;
    if (f->after > 0) {
      f->after--;
      continue;
    }
    if (f->times > 0)
      f->times--;
    return f->error;
  }
  return 0;
}

int fault_error(const char *name) {
  static const struct {
    const char *name;
    int error;
  } errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT},
                {"ESTALE", ESTALE}, {"EACCES", EACCES}, {"EAGAIN", EAGAIN},
                {"EINTR", EINTR},   {"ENOENT", ENOENT}, {"EROFS", EROFS},
                {"EMFILE", EMFILE}, {"ENFILE", ENFILE}, {"ETIMEDOUT", ETIMEDOUT}};
  for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++)
    if (strcmp(errors[i].name, name) == 0)
      return errors[i].error;
  return 0;
}
