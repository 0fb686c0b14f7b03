/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of programs beside a run: models, our run of them, and the command.  Files are written into
 * the current folder.  */
#ifndef ARENABENCH_TESTS_SUPPORT_BESIDE_CASE_H
#define ARENABENCH_TESTS_SUPPORT_BESIDE_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/beside/beside.h"

void write_bytes(const char *path, const void *data, size_t size);

/* The model of a text (tests/support/onnx_text.h).  */
void write_model(const char *path, const char *text);

/* One of two convolutions and a way around the second, pools, a matrix; two outputs.  */
void write_small(const char *path);

/* The outputs of our run, by the numbers of their values.  */
struct ours {
    struct instance *instance;
    struct elements **output;
};

struct ours run_ours(const char *path); /* output: NULL, where it can't be run */
void clear_ours(struct ours *ours);

/* Three rounds of PROGRAM on one thread, with time and memory for any machine.  */
struct beside_request request_of(const struct ours *ours, const char *program, const char *model);

/* The request fails, and TEXT is in what is said of it.  */
void refuses(const struct beside_request *request, const char *text);

/* ... that of PROGRAM and a model of its own.  */
void refuses_types(const char *model, const char *program, const char *text);

/* The exit status of a shell's LINE, which may ask for variables.  */
int shell(const char *line);

/* ... of `arenabench run ARGUMENTS`; files out and err are left.  */
int command(const char *arguments);

/* Whether the file has TEXT in a line.  */
bool says(const char *path, const char *text);

#endif
