/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of the other files json_* where libjansson is not there.  */
#include <config.h>

#include "hazards/json.h"

#include <errno.h>

const char *hazard_json_absent(void)
{
    return JANSSON_ABSENT;
}

static bool refuse(const char *path, struct error *error)
{
    return error_set(error, "%s: built without libjansson: JSON files can't be read: %s", path,
                     JANSSON_ABSENT);
}

bool hazard_json_read(FILE *in, const char *path, struct hazard_problem *problem,
                      struct error *error)
{
    (void)in;
    *problem = (struct hazard_problem){0};
    return refuse(path, error);
}

bool hazard_json_read_plan(FILE *in, const char *path, const struct hazard_problem *problem,
                           int64_t *offset, struct error *error)
{
    (void)in;
    (void)problem;
    (void)offset;
    return refuse(path, error);
}

/* Who can't write looks at errno.  */
bool hazard_json_write(FILE *out, const struct hazard_problem *problem)
{
    (void)out;
    (void)problem;
    errno = ENOTSUP;
    return false;
}

bool hazard_json_write_plan(FILE *out, const struct hazard_problem *problem, const int64_t *offset)
{
    (void)offset;
    return hazard_json_write(out, problem);
}
