/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The families that searches are judged on: each member can be made and is of the size that
 * they promise, and the halves are halves.  */
#include <config.h>

#include "tests/support/families.h"

#include <stdlib.h>

#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

int main(void)
{
    int members = 0, tuning = 0, missing = 0;

    for (size_t f = 0; f < FAMILIES; f++) {
        int bad = 0, count = 0;
        char *spec;

        for (; (spec = family_member(f, count)) != NULL; count++) {
            struct instance *instance;

            tuning += family_is_tuning(spec);
            if (family_is_missing(spec)) {
                missing++;
            } else {
                instance = instance_of(spec);
                if (instance->n < 100 || instance->n > 600) {
                    tap_diag("%s: %zu buffers", spec, instance->n);
                    bad++;
                }
                instance_free(instance);
            }
            free(spec);
        }
        ok(bad == 0 && count >= 20, "%s: %d members of 100 to 600 buffers", family_name(f), count);
        members += count;
    }
    ok(members >= 200, "%d in all (of which %d lack their data)", members, missing);
    ok(5 * tuning > 2 * members && 5 * tuning < 3 * members, "%d of them to tune on", tuning);
    return tap_done();
}
