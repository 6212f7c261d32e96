/* What the files take of the capacity and of the quota. Called under the model's lock.
 *
 * statfs shows the capacity but not the quota, as on a real site: a program learns of the quota by
 * EDQUOT only.
 */
#ifndef PFS_USAGE_H
#define PFS_USAGE_H

#include "inode.h"

#include <sys/statvfs.h>

/* Room for this much more? 0, ENOSPC or EDQUOT. */
int usage_room(uint64_t bytes, uint64_t inodes);

/* Its size on the backing file system changed. */
void usage_update(struct inode *i, uint64_t blocks);

void usage_add_inode(void);

/* Its last name is gone; its blocks count until the last client has closed it. */
void usage_unlinked(struct inode *i);
void usage_closed(struct inode *i);

void usage_statfs(struct statvfs *v);

#endif
