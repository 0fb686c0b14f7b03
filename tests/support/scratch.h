/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a test program, and a folder for them.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SCRATCH_H
#define ARENABENCH_TESTS_SUPPORT_SCRATCH_H

#include <stdio.h>

/* A new one; where none can be made the program ends.  */
char *scratch_new(void);

/* Removes it with all that is in it, and frees its name; where that can't be done the program ends.
 */
void scratch_remove(char *folder);

/* The same where the program works in it, so that names are paths.  */
void scratch_enter(void);
void scratch_leave(void);

/* TEXT as a file that can be read; where there is no memory for it the program ends.  */
FILE *scratch_text(const char *text);

#endif
