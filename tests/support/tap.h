/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test Anything Protocol for test programs, counted by automake.
 *
 * A program calls ok() and its relatives once an assertion and ends with
 * `return tap_done();`.  */
#ifndef ARENABENCH_TESTS_SUPPORT_TAP_H
#define ARENABENCH_TESTS_SUPPORT_TAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One assertion; returns CONDITION.  The text says what is true when it holds.  */
bool tap_ok(bool condition, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define ok(condition, ...) tap_ok((condition), __FILE__, __LINE__, __VA_ARGS__)

/* Equal numbers and texts; a failure prints both.  */
bool tap_int(int64_t got, int64_t want, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
#define is_int(got, want, ...) tap_int((got), (want), __FILE__, __LINE__, __VA_ARGS__)
bool tap_text(const char *got, const char *want, const char *file, int line, const char *format,
              ...) __attribute__((format(printf, 5, 6)));
#define is_text(got, want, ...) tap_text((got), (want), __FILE__, __LINE__, __VA_ARGS__)

/* Counts COUNT assertions as skipped.  */
void tap_skip(int count, const char *reason);

/* A comment line for the log.  */
void tap_diag(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* fork(), or the end of the program: where there is no child, kill(pid) would reach others.  */
pid_t tap_fork(void);

/* Ends the program, which can't go on; WHY with what errno says.  */
_Noreturn void tap_bail(const char *why);

/* Prints the plan; 0 when everything passed.  */
int tap_done(void);

/* The folder with real inputs (lib/base/real_inputs.h), or NULL.  */
const char *tap_data(void);

/* Whether FILE is missing among these; COUNT assertions are skipped then.  */
bool tap_skip_without(int count, const char *file);

/* How much to try: SMALL in `make check`, WHOLE in `make check-all`.  Where sanitizers look at each
 * step a long SMALL is halved: answers are compared in other builds.  */
int tap_tier(int small, int whole);

#endif
