/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source tree of the running program.  */
#ifndef ARENABENCH_LIB_BASE_SOURCE_TREE_H
#define ARENABENCH_LIB_BASE_SOURCE_TREE_H

/* The folder, or NULL for a program that was installed: its source tree may be
 * gone or another's.  The caller frees it.  */
char *source_tree(void);

#endif
