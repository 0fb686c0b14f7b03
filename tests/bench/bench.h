/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the programs of `make bench` share.  */
#ifndef ARENABENCH_TESTS_BENCH_BENCH_H
#define ARENABENCH_TESTS_BENCH_BENCH_H

#include <stdbool.h>

/* Prints `met` or `NOT MET` and the text.  */
void bench_goal(bool met, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
