#include "usage.h"

#include "settings.h"

#include <errno.h>

enum { BLOCK = 512 };

static uint64_t used_blocks;
static uint64_t used_inodes;

static bool over(double limit, double used) { return limit > 0 && used > limit; }

int usage_room(uint64_t bytes, uint64_t inodes) {
  double mb = ((double)used_blocks * BLOCK + (double)bytes) / 1e6;
  double count = (double)(used_inodes + inodes);
  if ((bytes && over(settings.quota_mb, mb)) || (inodes && over(settings.quota_inodes, count)))
    return EDQUOT;
  if ((bytes && over(settings.capacity_mb, mb)) ||
      (inodes && over(settings.capacity_inodes, count)))
    return ENOSPC;
  return 0;
}

void usage_update(struct inode *i, uint64_t blocks) {
  used_blocks += blocks - i->charged;
  i->charged = blocks;
}

void usage_add_inode(void) { used_inodes++; }

void usage_unlinked(struct inode *i) {
  used_inodes--;
  i->unlinked = true;
  usage_closed(i);
}

void usage_closed(struct inode *i) {
  if (i->unlinked && i->opens == 0)
    usage_update(i, 0);
}

static uint64_t left(double limit, double used) {
  return limit > used ? (uint64_t)(limit - used) : 0;
}

void usage_statfs(struct statvfs *v) {
  if (settings.capacity_mb > 0) {
    v->f_frsize = v->f_bsize = 4096;
    double blocks = settings.capacity_mb * 1e6 / 4096;
    v->f_blocks = (fsblkcnt_t)blocks;
    v->f_bfree = v->f_bavail = left(blocks, (double)used_blocks * BLOCK / 4096);
  }
  if (settings.capacity_inodes > 0) {
    v->f_files = (fsfilcnt_t)settings.capacity_inodes;
    v->f_ffree = v->f_favail = left(settings.capacity_inodes, (double)used_inodes);
  }
}
