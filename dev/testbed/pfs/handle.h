/* An open file of one client. */
#ifndef PFS_HANDLE_H
#define PFS_HANDLE_H

#include "call.h"

struct handle {
  struct handle *next; /* all open handles, under the model's lock */
  struct inode *inode;
  int client;
  int fd;
  bool append;
  bool close_charged;
  int write_back_error; /* reported once, by the next fsync or close */
};

static inline struct handle *handle_of(const struct fuse_file_info *fi) {
  return (struct handle *)(uintptr_t)fi->fh;
}

/* Dirty data of this client in this file was lost: its open handles report it. */
void handles_lost_data(struct inode *i, int client);

#endif
