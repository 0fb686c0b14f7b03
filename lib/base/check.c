/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/check.h"

#include <stdio.h>
#include <stdlib.h>

void check_failed(const char *structure, const char *invariant, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s: broken invariant: %s\n", file, line, structure, invariant);
    abort();
}
