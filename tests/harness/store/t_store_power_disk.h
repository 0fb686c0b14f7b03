/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A disk with a cache below SQLite, and what a power failure leaves on it.
 *
 * Between two syncs of a file each write may get to the disk or not, in any order and in part (to a
 * whole sector), and so may the file's making and its removal.  What was synced is there.  */
#ifndef ARENABENCH_TESTS_HARNESS_STORE_T_STORE_POWER_DISK_H
#define ARENABENCH_TESTS_HARNESS_STORE_T_STORE_POWER_DISK_H

struct disk;

/* All of SQLite's files go through it until it is freed; it remembers those that are opened while
 * there is a watch.  */
struct disk *disk_new(void);
void disk_free(struct disk *disk);

/* WATCH is called after each write, sync and removal, unless it is NULL.  */
void disk_watch(struct disk *disk, void (*watch)(void *context), void *context);

/* Makes the folder DIR with what would be left of the files, had the power failed now.  */
void disk_fail(struct disk *disk, const char *dir);

#endif
