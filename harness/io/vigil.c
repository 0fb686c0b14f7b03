/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/vigil.h"

static bool look(void *context)
{
    struct vigil *vigil = context;

    interrupt_take(&vigil->interrupt);
    if (status_line_due(&vigil->line))
        vigil->show(vigil->context, &vigil->line);
    return vigil->interrupt.signal == 0;
}

bool vigil_begin(struct vigil *vigil, vigil_show *show, void *context, struct error *error)
{
    vigil->show = show;
    vigil->context = context;
    if (!interrupt_watch(&vigil->interrupt, error))
        return false;
    status_line_start(&vigil->line);
    vigil->watch =
        (struct watch){look, vigil, status_line_period(&vigil->line), vigil->interrupt.fd};
    return true;
}

int vigil_end(struct vigil *vigil, int status)
{
    status_line_clear(&vigil->line);
    interrupt_end(&vigil->interrupt);
    return vigil->interrupt.signal != 0 ? 128 + vigil->interrupt.signal : status;
}
