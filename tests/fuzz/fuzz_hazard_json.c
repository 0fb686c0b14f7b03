/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a problem with hazards in JSON: refused with a message that names the file, or
 * accepted, and then written and read back to the same problem, whose pools can be looked at.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "hazards/json.h"
#include "hazards/part.h"
#include "tests/fuzz/bytes.h"

static bool read_problem(void *into, FILE *in, const char *path, struct error *error)
{
    return hazard_json_read(in, path, into, error);
}

static bool write_problem(FILE *out, const void *from)
{
    return hazard_json_write(out, from);
}

static char *text_of(const struct hazard_problem *problem)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    must(out != NULL && hazard_json_write(out, problem));
    fclose(out);
    return text;
}

static bool same(const void *one, const void *other)
{
    char *a = text_of(one), *b = text_of(other);
    const bool equal = strcmp(a, b) == 0;

    free(a);
    free(b);
    return equal;
}

/* A refusal leaves something to clear, too, so that is done below.  */
static void clear(void *one)
{
    (void)one;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_problem, write_problem, same, clear};
    struct hazard_problem problem = {0}, again = {0};
    struct hazard_part part;

    if (bytes_round_trip(&format, &problem, &again, data, size))
        for (size_t p = 0; p < problem.n_pools; p++)
            if (hazard_part_init(&part, &problem, p, NULL))
                hazard_part_clear(&part);
    hazard_problem_clear(&problem);
    hazard_problem_clear(&again);
    return 0;
}
