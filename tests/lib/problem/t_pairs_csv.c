/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs beside an instance: read, written, refused with the place.  */
#include <config.h>

#include "lib/problem/pairs_csv.h"

#include <string.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static bool read_pairs(const char *text, const struct instance *instance, struct pairs *pairs,
                       struct error *error)
{
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    const bool good = pairs_csv_read(in, "pairs.csv", instance, pairs, error);

    fclose(in);
    return good;
}

static void test_pairs(void)
{
    static const struct {
        const char *text, *message;
    } row[] = {
        {"kind,a,b\napart,a,z\n", "pairs.csv:2:9: the instance has no buffer 'z'"},
        {"kind,a,b\napart,b,b\n", "pairs.csv:2:9: a pair of 'b' with itself; expected two buffers"},
        {"kind,a,b\nnear,a,b\n",
         "pairs.csv:2:1: no kind 'near'; expected apart, exclusive, together or reuse"},
        {"kind,a,b\nreuse,a,b\n",
         "pairs.csv:2:1: the kind 'reuse' wants a column cost; expected the header kind,a,b,cost"},
        {"kind,a,b,cost\nreuse,a,b,-1\n",
         "pairs.csv:2:11: cost '-1'; expected a whole number, at least 0"},
    };
    static const char good[] = "kind,a,b,cost\napart,a,c,\nexclusive,b,a,\nreuse,b,c,5\n";
    struct instance *instance = instance_of_rows("a 0 2 4; b 1 3 3; c 3 4 5");
    struct pairs pairs;
    struct error error = {""};
    char *text;
    size_t length;
    FILE *out;

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ok(!read_pairs(row[i].text, instance, &pairs, &error), "refused");
        is_text(error.text, row[i].message, "with the place, and both buffers");
        pairs_clear(&pairs);
    }
    ok(read_pairs(good, instance, &pairs, &error), "pairs are read");
    out = memory_stream(&text, &length);
    pairs_csv_write(out, instance, &pairs);
    memory_stream_close(out);
    is_text(text, good, "and written as they were");
    memory_free(text);
    pairs_clear(&pairs);
    instance_free(instance);
}

int main(void)
{
    test_pairs();
    return tap_done();
}
