/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process behind a session: it serves orders until there are no more.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_CHILD_H
#define ARENABENCH_HARNESS_TIMING_CONV_CHILD_H

#include <stdbool.h>

struct conv_shape;
struct error;

/* The work of the process (harness/io/process.h); SETUP is a struct conv_setup.  */
void conv_child(void *setup, int socket);

/* The tensors of SHAPE fit into the machine's memory, EXTRA floats beside them;
 * else false with a message.  */
bool conv_fits(const struct conv_shape *shape, double extra, struct error *error);

#endif
