/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder for the files of a test program.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SCRATCH_H
#define ARENABENCH_TESTS_SUPPORT_SCRATCH_H

/* A new one; where none can be made the program ends.  */
char *scratch_new(void);

/* Removes it with all that is in it, and frees its name; where that can't be done the program ends.
 */
void scratch_remove(char *folder);

/* The same where the program works in it, so that names are paths.  */
void scratch_enter(void);
void scratch_leave(void);

#endif
