/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of the other files json_* where libjansson is not there.  */
#include <config.h>

#include "traces/formats.h"

const char *trace_json_absent(void)
{
    return JANSSON_ABSENT;
}

bool trace_read_json(struct recorder *recorder, FILE *in, const char *path, struct error *error)
{
    (void)recorder;
    (void)in;
    return error_set(error, "%s: built without libjansson: JSON files can't be read: %s", path,
                     JANSSON_ABSENT);
}
