/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "tests/support/tap.h"

const char *tap_data(void)
{
    static char *folder;

    if (folder == NULL)
        folder = real_inputs_folder();
    return folder;
}

bool tap_skip_without(int count, const char *file)
{
    char *reason;

    if (!real_inputs_missing(file))
        return false;
    reason = memory_printf("%s: %s", file, real_inputs_reason());
    tap_skip(count, reason);
    free(reason);
    return true;
}
