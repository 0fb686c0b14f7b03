/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source tree of the running program.  */
#ifndef ARENABENCH_LIB_BASE_SOURCE_TREE_H
#define ARENABENCH_LIB_BASE_SOURCE_TREE_H

/* The folder, or NULL for a program that was installed: its source tree may be
 * gone or another's.  The caller frees it.  */
char *source_tree(void);

/* The program NAME that was built with this one and lies in the build tree, or beside this one;
 * NULL where there is none.  The caller frees it.  */
char *built_program(const char *name);

#endif
