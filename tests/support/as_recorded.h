/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what a program answered once: rows of a file of the sources, compared one by one.  They
 * say that something changed, not what is right.  */
#ifndef ARENABENCH_TESTS_SUPPORT_AS_RECORDED_H
#define ARENABENCH_TESTS_SUPPORT_AS_RECORDED_H

#include <stdio.h>

/* All rows, with the head.  */
typedef void as_recorded_tell(FILE *out);

/* The test's main program: whether TELL says what the file PATH of the source tree has, more than
 * LEAST rows of it; with the argument --table it prints what the file should have.  */
int as_recorded(int argc, char **argv, const char *path, int least, as_recorded_tell *tell);

#endif
