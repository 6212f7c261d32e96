/* pfs: serves one backing directory as a slow shared file system to several client nodes.
 *
 *   pfs BASE NODES [key=value ...] [classes=name=glob,...] [seed=N]
 *
 * BASE/backing holds the files, BASE/nodes/0 ... are the mount points, BASE/connections is where
 * the kernel's FUSE control files are mounted, BASE/control is the control file (control.h). All of
 * them but the control file exist already. It stays in the foreground, and unmounts when it is told
 * to stop or gets SIGTERM or SIGINT.
 */
#include "call.h"
#include "classes.h"
#include "control.h"
#include "dirty.h"
#include "line.h"
#include "model.h"
#include "session.h"
#include "settings.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

struct client clients[MAX_CLIENTS];
int client_count;

static char control_path[4096];

static int refuse(const char *what, const char *why) {
  fprintf(stderr, "pfs: %s: %s\n", what, why);
  return 2;
}

static int apply(const char *argument, uint64_t *seed) {
  char key[128];
  const char *equals = strchr(argument, '=');
  if (!equals || (size_t)(equals - argument) >= sizeof key)
    return refuse(argument, "key=value is wanted");
  memcpy(key, argument, (size_t)(equals - argument));
  key[equals - argument] = 0;
  if (strcmp(key, "classes") == 0)
    return classes_set(equals + 1) ? 0 : refuse(argument, "name=glob,... is wanted");
  char *end;
  double value = strtod(equals + 1, &end);
  if (*end || end == equals + 1)
    return refuse(argument, "a number is wanted");
  if (strcmp(key, "seed") == 0) {
    *seed = (uint64_t)value;
    return 0;
  }
  const char *why = settings_set(key, value);
  return why ? refuse(key, why) : 0;
}

/* An inode that some client remembers costs one descriptor. */
static void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
    perror("pfs: RLIMIT_NOFILE");
}

static void end(int signal) {
  (void)signal;
  sessions_unmount();
  unlink(control_path);
  _exit(0);
}

static int start_clients(const char *base) {
  char path[4096];
  snprintf(path, sizeof path, "%s/backing", base);
  int error = inodes_init(path);
  if (error)
    return refuse(path, strerror(error));
  snprintf(path, sizeof path, "%s/connections", base);
  error = sessions_init(path);
  if (error)
    return refuse(path, strerror(error));
  for (int i = 0; i < client_count; i++) {
    clients[i].index = i;
    snprintf(path, sizeof path, "%s/nodes/%d", base, i);
    if (session_start(&clients[i], path) != 0) {
      sessions_unmount();
      return 1;
    }
  }
  error = dirty_start_aging();
  return error ? refuse("thread", strerror(error)) : 0;
}

int main(int argc, char **argv) {
  uint64_t seed = 1;
  if (argc < 3 || (client_count = atoi(argv[2])) < 1 || client_count > MAX_CLIENTS) {
    fprintf(stderr, "usage: pfs BASE NODES(1-%d) [key=value ...]\n", MAX_CLIENTS);
    return 2;
  }
  for (int i = 3; i < argc; i++)
    if (apply(argv[i], &seed) != 0)
      return 2;
  snprintf(control_path, sizeof control_path, "%s/control", argv[1]);
  umask(0);
  raise_descriptor_limit();
  /* Threads inherit it; the default of 50 us would be a sixth of an open. */
  prctl(PR_SET_TIMERSLACK, 1);
  model_init(seed);
  int listener = line_listen("pfs", control_path);
  if (listener < 0)
    return 1;
  int failed = start_clients(argv[1]);
  if (failed)
    return failed;
  signal(SIGTERM, end);
  signal(SIGINT, end);
  signal(SIGPIPE, SIG_IGN);
  control_serve(listener);
  end(0);
}
