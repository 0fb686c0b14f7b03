/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that are read and written of each buffer, worked out by hand.  */
#include <config.h>

#include "memories/traffic.h"

#include <inttypes.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/reuse.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"

static size_t add(struct network *network, const char *name, enum op_kind kind, const char *type,
                  int64_t size, const size_t *from, size_t count)
{
    size_t op = network_add_op(network, name, kind, type, from, count);
    size_t value = network_add_output(network, op, name, DTYPE_I8, 1, &size);

    reuse_infer(network, op);
    return value;
}

/* x is read by a and by c; b is a view of a; c has x and b; d is the concatenation of c and b.  */
static struct network *graph(void)
{
    struct network *network = network_new("graph");
    const int64_t size = 10, weights = 100;
    const size_t x = network_add_value(network, "x", VALUE_INPUT, DTYPE_I8, 1, &size);
    const size_t w = network_add_value(network, "w", VALUE_WEIGHT, DTYPE_I8, 1, &weights);
    const size_t a = add(network, "a", OP_OTHER, "test", 20, (const size_t[]){x, w}, 2);
    const size_t b = add(network, "b", OP_ALIAS, "reshape", 20, &a, 1);
    const size_t c = add(network, "c", OP_OTHER, "test", 12, (const size_t[]){x, b, b}, 3);
    const size_t d = add(network, "d", OP_CONCAT, "concat", 32, (const size_t[]){c, b}, 2);

    network_mark_output(network, add(network, "e", OP_OTHER, "test", 5, &d, 1));
    return network;
}

static char *describe(const struct instance *instance, const struct traffic *traffic)
{
    char *text = memory_strdup("");

    for (size_t b = 0; b < instance->n; b++)
        text = memory_append(text, "%s%s:%" PRId64 "/%" PRId64, b == 0 ? "" : " ",
                             instance->buffer[b].id, traffic->reads[b], traffic->writes[b]);
    return text;
}

/* Reads and writes of each buffer under OPTIONS.  */
static void counts(struct lifetime_options options, const char *want, const char *what)
{
    struct network *network = graph();
    struct error error = {""};
    struct instance *instance =
        lifetimes_instance(network, schedule_file_order(network), &options, &error);
    struct traffic traffic;
    char *got;

    if (!ok(instance != NULL && traffic_find(instance, &traffic, &error), "%s: %s", what,
            error.text))
        return;
    got = describe(instance, &traffic);
    is_text(got, want, "%s", what);
    is_int(traffic.source, TRAFFIC_COUNTED, "counted");
    memory_free(got);
    traffic_clear(&traffic);
    instance_free(instance);
}

/* What an instance says for itself, or does not.  */
static void said(void)
{
    struct instance *instance = instance_new("said");
    struct traffic traffic;
    struct error error;
    char *got;

    instance_add(instance, "a", 0, 2, 7, 1);
    instance_add(instance, "b", 0, 2, 9, 1);
    if (!instance_seal(instance, NULL, &error) || !traffic_find(instance, &traffic, &error))
        tap_bail(error.text);
    got = describe(instance, &traffic);
    is_text(got, "a:7/7 b:9/9", "once each");
    is_int(traffic.source, TRAFFIC_ONCE, "as nothing is said");
    memory_free(got);
    traffic_clear(&traffic);
    instance->buffer[1].reads = 0;
    traffic_find(instance, &traffic, &error);
    got = describe(instance, &traffic);
    is_text(got, "a:7/7 b:0/9", "what is said, and once each");
    is_int(traffic.source, TRAFFIC_SAID, "said");
    memory_free(got);
    traffic_clear(&traffic);
    instance_free(instance);
}

int main(void)
{
    counts((struct lifetime_options){.io = IO_NONE}, "a:20/20 b:60/20 c:12/12 d:32/32",
           "each operator reads and writes all");
    counts((struct lifetime_options){.io = IO_BOTH, .weights = true},
           "x:20/10 w:100/100 a:20/20 b:60/20 c:12/12 d:32/32 e:0/5",
           "inputs and weights are written by whoever brings them");
    counts((struct lifetime_options){.io = IO_NONE, .alias = true}, "a:60/20 c:12/12 d:32/32",
           "a view moves nothing");
    counts((struct lifetime_options){.io = IO_NONE, .alias = true, .place = true}, "d:72/32",
           "nor do parts that were made in place");
    said();
    return tap_done();
}
