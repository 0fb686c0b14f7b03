/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a certificate of the gap gadget, whose optimum is 5, with a buffer that is fixed and
 * without: refused with a message that has a place, or accepted, and then what it says is true.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "tests/fuzz/bytes.h"

/* With FIXED buffer d lies at 1, as it may in a best plan.  */
static struct instance *gadget(bool fixed)
{
    static const int64_t row[][3] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1},
                                     {2, 4, 1}, {3, 5, 2}, {4, 5, 2}};
    static const char *const id[] = {"a", "b", "c", "d", "e", "f", "g"};
    struct instance *instance = instance_new("gadget");

    for (size_t i = 0; i < 7; i++)
        instance_add(instance, id[i], row[i][0], row[i][1], row[i][2], 1);
    if (fixed)
        instance_fix(instance, 3, 1);
    must(instance_seal(instance, NULL, NULL));
    return instance;
}

static void check(const struct instance *instance, const uint8_t *data, size_t size)
{
    FILE *in = bytes_file(data, size);
    struct certificate certificate;
    struct error error = {""};
    bool good = certificate_check(in, "fuzz", instance, &certificate, &error);

    must(good ? certificate.capacity < 5 : refused_at(&error, "fuzz:"));
    fclose(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        struct instance *instance = gadget(fixed == 1);

        check(instance, data, size);
        instance_free(instance);
    }
    return 0;
}
