/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memories of a chip as a text: one a line, as memories_add takes it, the fastest first.  What
 * follows a # is a comment; blanks around and empty lines do not count.  */
#ifndef ARENABENCH_MEMORIES_CHIP_H
#define ARENABENCH_MEMORIES_CHIP_H

#include <stdbool.h>

#include "lib/base/error.h"
#include "memories/memory.h"

/* Adds those of TEXT to MEMORIES.  PATH is for messages, with the line.  False also where there is
 * none.  */
bool chip_parse(const char *path, const char *text, struct memories *memories, struct error *error);

#endif
