#include "session.h"

#include "call.h"
#include "operations.h"
#include "revoke.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Each request that sleeps occupies a thread; idle ones cost memory only, so none is ended. */
enum { MAX_THREADS = 2048, MAX_IDLE = 2048, REQUEST_BYTES = 1 << 20 };

static char *mount_points[MAX_CLIENTS];
static char connections_path[4096];
static unsigned connections[MAX_CLIENTS];

static void init(void *userdata, struct fuse_conn_info *conn) {
  (void)userdata;
  /* Splicing makes small reads slower, and kernel-side guesses about when data changed would drop
   * pages that are still valid: here revocations say so. */
  conn->want &=
      ~(unsigned)(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE |
                  FUSE_CAP_AUTO_INVAL_DATA | FUSE_CAP_READDIRPLUS | FUSE_CAP_WRITEBACK_CACHE);
  conn->want |= conn->capable & (FUSE_CAP_EXPLICIT_INVAL_DATA | FUSE_CAP_PARALLEL_DIROPS |
                                 FUSE_CAP_ATOMIC_O_TRUNC | FUSE_CAP_ASYNC_READ);
  conn->max_write = REQUEST_BYTES;
  conn->max_readahead = REQUEST_BYTES;
  conn->max_background = 256;
  conn->congestion_threshold = 192;
  conn->time_gran = 1;
}

static const struct fuse_lowlevel_ops operations = {
    .init = init,
    .lookup = op_lookup,
    .forget = op_forget,
    .forget_multi = op_forget_multi,
    .getattr = op_getattr,
    .setattr = op_setattr,
    .readlink = op_readlink,
    .mknod = op_mknod,
    .mkdir = op_mkdir,
    .unlink = op_unlink,
    .rmdir = op_rmdir,
    .symlink = op_symlink,
    .rename = op_rename,
    .link = op_link,
    .open = op_open,
    .create = op_create,
    .read = op_read,
    .write = op_write,
    .flush = op_flush,
    .release = op_release,
    .fsync = op_fsync,
    .opendir = op_opendir,
    .readdir = op_readdir,
    .releasedir = op_releasedir,
    .statfs = op_statfs,
    .setxattr = op_setxattr,
    .getxattr = op_getxattr,
    .listxattr = op_listxattr,
    .removexattr = op_removexattr,
    .getlk = op_getlk,
    .setlk = op_setlk,
    .flock = op_flock,
    .fallocate = op_fallocate,
    .lseek = op_lseek,
};

static void *serve(void *arg) {
  struct client *c = arg;
  struct fuse_loop_config *config = fuse_loop_cfg_create();
  fuse_loop_cfg_set_max_threads(config, MAX_THREADS);
  fuse_loop_cfg_set_idle_threads(config, MAX_IDLE);
  fuse_session_loop_mt(c->session, config);
  fuse_loop_cfg_destroy(config);
  return NULL;
}

static struct fuse_session *new_session(struct client *c) {
  char name[64];
  snprintf(name, sizeof name, "fsname=pfs:%d,subtype=pfs,allow_other,default_permissions",
           c->index);
  struct fuse_args args = FUSE_ARGS_INIT(0, NULL);
  struct fuse_session *session = NULL;
  if (fuse_opt_add_arg(&args, "pfs") == 0 && fuse_opt_add_arg(&args, "-o") == 0 &&
      fuse_opt_add_arg(&args, name) == 0)
    session = fuse_session_new(&args, &operations, sizeof operations, c);
  fuse_opt_free_args(&args);
  return session;
}

/* The connection's number is the minor of the mount's device; read without a request to it. */
static unsigned connection_at(const char *mount_point) {
  unsigned number = 0;
  char line[4096];
  FILE *mounts = fopen("/proc/self/mountinfo", "re");
  while (mounts && fgets(line, sizeof line, mounts)) {
    unsigned minor;
    char point[2048];
    if (sscanf(line, "%*d %*d %*u:%u %*s %2047s", &minor, point) == 2 &&
        strcmp(point, mount_point) == 0)
      number = minor;
  }
  if (mounts)
    fclose(mounts);
  return number;
}

int sessions_init(const char *connections_directory) {
  snprintf(connections_path, sizeof connections_path, "%s", connections_directory);
  return mount("fusectl", connections_path, "fusectl", 0, NULL) == 0 ? 0 : errno;
}

int session_start(struct client *c, const char *mount_point) {
  c->session = new_session(c);
  if (!c->session || fuse_session_mount(c->session, mount_point) != 0) {
    fprintf(stderr, "pfs: cannot mount %s\n", mount_point);
    return -1;
  }
  mount_points[c->index] = strdup(mount_point);
  connections[c->index] = connection_at(mount_point);
  int error = pthread_create(&c->loop, NULL, serve, c);
  if (!error)
    error = revoke_start(c);
  if (error)
    fprintf(stderr, "pfs: %s\n", strerror(error));
  return error ? -1 : 0;
}

int session_abort(struct client *c) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%u/abort", connections_path, connections[c->index]);
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return errno;
  int error = write(fd, "1", 1) == 1 ? 0 : errno;
  close(fd);
  return error;
}

void sessions_unmount(void) {
  for (int i = 0; i < client_count; i++)
    if (mount_points[i])
      umount2(mount_points[i], MNT_DETACH);
  umount2(connections_path, MNT_DETACH);
}
