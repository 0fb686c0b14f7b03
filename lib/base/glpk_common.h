/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the wrappers of GLPK share: running it so that its aborts come back.
 *
 * GLPK ends the whole program when it detects an error (a failed assertion, no
 * memory).  Its manual (section 6.1.13) allows to leave by a jump instead, if
 * its environment is thrown away afterwards; that invalidates every object of
 * GLPK, so none may outlive the call that made it.  */
#ifndef ARENABENCH_LIB_BASE_GLPK_COMMON_H
#define ARENABENCH_LIB_BASE_GLPK_COMMON_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

/* Calls BODY(CONTEXT) with GLPK's terminal output swallowed.  False when GLPK
 * aborted, with its message in ERROR; everything of GLPK's is gone then, and
 * BODY did not return: whatever else it holds has to hang on CONTEXT.  When
 * GLPK ran out of memory, memory_exhausted is called instead.  MEMORY_BYTES
 * limits what GLPK allocates; 0: no limit.  Calls do not nest.  */
bool glpk_protect(void (*body)(void *context), void *context, int64_t memory_bytes,
                  struct error *error);

#endif
