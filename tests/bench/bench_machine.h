/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a benchmark's figures were measured on, for its head.  */
#ifndef ARENABENCH_TESTS_BENCH_BENCH_MACHINE_H
#define ARENABENCH_TESTS_BENCH_BENCH_MACHINE_H

/* Prints version, compiler, processor and load to standard output.  */
void bench_print_machine(int argc, char **argv);

#endif
