/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What convolution kernels ask for beside input, weights and output, as they say it themselves
 * (conv_plan.workspace_bytes), for workloads with workspace=KERNEL.  */
#ifndef ARENABENCH_HARNESS_IO_KERNEL_WORKSPACE_H
#define ARENABENCH_HARNESS_IO_KERNEL_WORKSPACE_H

#include "lib/graph/workspace.h"

/* METHOD is a kernel's name.  It plans each layer for one thread and the instruction set that
 * kernels run with here, in a process of its own: libraries fix both for the whole process, and a
 * crash ends only that one, with a message.  A kernel that does not say what it asks for
 * (conv_plan.workspace_seen) is an error: an instance has to be the same each time.  */
workspace_ask kernel_workspace;

#endif
