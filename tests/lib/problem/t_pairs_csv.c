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
        {"kind,a,b,cost\nreuse,a,b,1.5\n",
         "pairs.csv:2:11: cost '1.5'; expected a whole number, at least 0"},
        {"kind,a,b,cost\nreuse,a,b,9223372036854775807\nreuse,a,c,1\n",
         "pairs.csv:3:11: the sum of the costs overflows 64 bits"},
        {"kind,a,b\napart,a,b\napart,b,c\nexclusive,b,a\n",
         "pairs.csv:4:1: buffers 'b' and 'a' are exclusive, and apart (line 2)"},
        {"a,b,kind\na,b,exclusive\nb,a,apart\n",
         "pairs.csv:3:5: buffers 'b' and 'a' are apart, and exclusive (line 2)"},
        {"kind,a,b\ntogether,a,c\napart,c,a\n",
         "pairs.csv:3:1: buffers 'c' and 'a' are apart, and together (line 2)"},
        {"kind,a\napart,a\n",
         "pairs.csv:1:7: no column 'b'; expected a header such as kind,a,b,cost"},
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

/* What is said twice, and of buffers that are together that they exclude each other.  */
static void test_agreeing(void)
{
    static const char text[] = "kind,a,b\napart,a,c\napart,c,a\nexclusive,b,a\ntogether,a,b\n";
    struct instance *instance = instance_of_rows("a 0 2 4; b 1 3 3; c 3 4 5");
    struct pairs pairs;
    struct error error = {""};

    if (!ok(read_pairs(text, instance, &pairs, &error), "what agrees is read"))
        tap_diag("%s", error.text);
    is_int((int64_t)pairs.n_pairs, 4, "all of it");
    pairs_clear(&pairs);
    instance_free(instance);
}

int main(void)
{
    test_pairs();
    test_agreeing();
    return tap_done();
}
