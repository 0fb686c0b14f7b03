/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings: what is read by hand, what is refused and where, and random ones against a reader
 * that looks at all blocks at each event.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"
#include "traces/formats.h"
#include "traces/trace.h"

static struct trace *read_text(const char *text, const char *path, struct error *error)
{
    FILE *in = scratch_text(text);
    struct trace *trace = trace_read(in, path, error);

    fclose(in);
    return trace;
}

/* A pool as text: its counts, and a row for each block: address, size, begin, end, offset in the
 * plan that has no gaps.  The caller frees it.  */
static char *pool_text(const struct trace *trace, size_t p)
{
    const struct trace_pool *pool = &trace->pool[p];
    char *text = memory_printf("%s: before %zu, after %zu, empty %zu, unknown %zu, lost %zu, used "
                               "%" PRId64 ", reserved %" PRId64 "\n",
                               pool->name, pool->before, pool->after, pool->empty, pool->unknown,
                               pool->lost, pool->used_bytes, pool->most_reserved);
    struct error error = {""};
    struct instance *instance = trace_instance(trace, p, &error);
    struct plan *closed = instance == NULL ? NULL : trace_plan(trace, p, instance, true, &error);

    if (closed == NULL || !verify_plan(instance, closed, &error))
        text = memory_append(text, "%s\n", error.text);
    for (size_t b = 0; closed != NULL && b < pool->n; b++)
        text = memory_append(
            text, "0x%" PRIx64 " %" PRId64 " [%" PRId64 ", %" PRId64 ") at %" PRId64 "\n",
            pool->block[b].address, pool->block[b].size, pool->block[b].begin, pool->block[b].end,
            closed->offset[b]);
    plan_free(closed);
    instance_free(instance);
    return text;
}

/* The most that is alive at once and the highest end, event by event, by looking at all blocks.  */
static bool same_samples(const struct trace *trace, size_t p)
{
    const struct trace_pool *pool = &trace->pool[p];
    struct instance *instance = trace_instance(trace, p, NULL);
    struct plan *plan = trace_plan(trace, p, instance, true, NULL);
    size_t count;
    struct trace_sample *sample = trace_samples(trace, p, plan, &count);
    size_t s = 0;
    bool same = count > 0 && sample[0].event == 0;

    for (int64_t e = 0; same && e <= trace->events; e++) {
        int64_t alive = 0, top = 0;

        s += s + 1 < count && sample[s + 1].event == e;
        for (size_t b = 0; b < pool->n; b++)
            if (pool->block[b].begin <= e && e < pool->block[b].end) {
                const int64_t end = plan->offset[b] + pool->block[b].size;

                alive += pool->block[b].size;
                top = end > top ? end : top;
            }
        same = sample[s].alive == alive && sample[s].top == top;
    }
    same = same && s + 1 == count;
    memory_free(sample);
    plan_free(plan);
    instance_free(instance);
    return same;
}

/* TEXT is read as a trace whose pools are EXPECTED, one behind the other.  */
static void reads(const char *text, const char *path, const char *expected, const char *what)
{
    struct error error = {""};
    struct trace *trace = read_text(text, path, &error);
    char *found = memory_strdup(trace == NULL ? error.text : "");

    for (size_t p = 0; trace != NULL && p < trace->n_pools; p++) {
        char *pool = pool_text(trace, p);

        found = memory_append(found, "%s", pool);
        memory_free(pool);
    }
    is_text(found, expected, "%s", what);
    for (size_t p = 0; trace != NULL && p < trace->n_pools; p++)
        ok(same_samples(trace, p), "... and in use over time is what lies between begins and ends");
    memory_free(found);
    trace_free(trace);
}

/* The same of a file of the fuzzer's corpus.  */
static void reads_file(const char *name, const char *expected, const char *what)
{
    const char *root = getenv("top_srcdir");
    char *path = memory_printf("%s/tests/fuzz/corpus/trace/%s", root != NULL ? root : ".", name);
    struct error error = {""};
    size_t length;
    char *text;

    if (file_read(path, 1 << 20, &text, &length, &error)) {
        reads(text, "t.json", expected, what);
        memory_free(text);
    } else {
        ok(false, "%s", error.text);
    }
    memory_free(path);
}

static void test_csv(void)
{
    reads("time,event,address,size\n10,alloc,0x1000,64\n11,alloc,0x1040,32\n12,free,0x1000,\n"
          "12,alloc,4096,16\n20,free,0x2000,100\n21,free,0x1040,32\n",
          "t.csv",
          "all: before 1, after 1, empty 0, unknown 0, lost 0, used 196, reserved -1\n"
          "0x2000 100 [0, 5) at 96\n0x1000 64 [1, 3) at 0\n0x1040 32 [2, 6) at 64\n"
          "0x1000 16 [4, 7) at 0\n",
          "CSV: before and after, addresses in both notations, a gap that nothing had");
    reads("stream,size,event,address,pool,time\n7,8,alloc,0,gpu,-5\n9,8,alloc,0,gpu,-5\n,4,alloc,0,"
          ",0\n7,8,free,0,gpu,0\n3,0,alloc,0,,1\n",
          "t.csv",
          "gpu stream 7: before 0, after 0, empty 0, unknown 0, lost 0, used 8, reserved -1\n"
          "0x0 8 [1, 4) at 0\n"
          "gpu stream 9: before 0, after 1, empty 0, unknown 0, lost 0, used 8, reserved -1\n"
          "0x0 8 [2, 6) at 0\n"
          "all: before 0, after 1, empty 0, unknown 0, lost 0, used 4, reserved -1\n"
          "0x0 4 [3, 6) at 0\n"
          "stream 3: before 0, after 0, empty 1, unknown 0, lost 0, used 0, reserved -1\n",
          "CSV: pools and streams, columns in any order, nothing of no bytes");
    reads("time,event,address,size,device\n0,alloc,0xffffffffffffffff,1,a\n"
          "0,alloc,0x0,1152921504606846976,b\n",
          "t.csv",
          "a: before 0, after 1, empty 0, unknown 0, lost 0, used 1, reserved -1\n"
          "0xffffffffffffffff 1 [1, 3) at 0\n"
          "b: before 0, after 1, empty 0, unknown 0, lost 0, used 1152921504606846976, reserved "
          "-1\n0x0 1152921504606846976 [2, 3) at 0\n",
          "CSV: the last address");
}

static void test_refusals(void)
{
#define HEADER "time,event,address,size\n"
    static const struct {
        const char *text, *message;
    } row[] = {
        {HEADER "0,alloc,0x10,8\n1,alloc,0x17,1\n",
         "t.csv:3:9: an allocation at 0x17 inside of 8 bytes at 0x10, which are alive; expected "
         "their release before"},
        {HEADER "0,alloc,0x17,1\n1,alloc,0x10,8\n",
         "t.csv:3:9: an allocation at 0x10 inside of 1 bytes at 0x17, which are alive; expected "
         "their release before"},
        {HEADER "0,alloc,0x10,8\n1,free,0x20,\n",
         "t.csv:3:8: a release of 0x20, which is not allocated; expected a size where it is from "
         "before the recording"},
        {HEADER "0,alloc,0x10,8\n1,free,0x10,\n2,free,0x10,\n",
         "t.csv:4:8: a release of 0x10, which is not allocated; expected an address where "
         "something alive begins, or that nothing had before"},
        {HEADER "0,alloc,0x10,8\n1,free,0x11,\n",
         "t.csv:3:8: a release of 0x11, inside of what begins at 0x10; expected that address"},
        {HEADER "0,alloc,0x10,8\n1,free,0x11,2\n",
         "t.csv:3:8: a release of 0x11, inside of what begins at 0x10; expected that address"},
        {HEADER "0,alloc,0x10,8\n1,free,0x10,8\n2,free,0x10,8\n",
         "t.csv:4:8: a release of 0x10, which is not allocated; expected an address where "
         "something alive begins, or that nothing had before"},
        {HEADER "0,free,0x10,8\n2,free,0x17,8\n",
         "t.csv:3:8: a release of 0x17, which is not allocated; expected an address where "
         "something alive begins, or that nothing had before"},
        {HEADER "0,alloc,0x10,8\n1,free,0x10,9\n",
         "t.csv:3:8: a release of 9 bytes at 0x10; expected 8, as were allocated"},
        {HEADER "5,alloc,0x10,8\n4,free,0x10,8\n",
         "t.csv:3:1: time '4'; expected a whole number, at least 5"},
        {HEADER "5,malloc,0x10,8\n", "t.csv:2:3: no event 'malloc'; expected alloc or free"},
        {HEADER "5,alloc,0x1g,8\n",
         "t.csv:2:9: address '0x1g'; expected a number below 2^64, or 0x and hexadecimal digits"},
        {HEADER "5,alloc,18446744073709551616,8\n",
         "t.csv:2:9: address '18446744073709551616'; expected a number below 2^64, or 0x and "
         "hexadecimal digits"},
        {HEADER "5,alloc,10,-8\n", "t.csv:2:12: size '-8'; expected a whole number, at least 0"},
        {HEADER "5,alloc,10,\n", "t.csv:2:12: size ''; expected a whole number, at least 0"},
        {HEADER "5,alloc,0xffffffffffffffff,2\n",
         "t.csv:2:9: 2 bytes at 0xffffffffffffffff end behind the last address"},
        {HEADER "5,alloc,0x10,0\n6,alloc,0x10,2\n",
         "t.csv:3:9: an allocation at 0x10, where one of no bytes is alive"},
        {"time,event,size\n", "t.csv:1:16: no column 'address'; expected a header such as "
                              "time,event,address,size[,pool][,stream]"},
        {"= Start\n@ a:[0x1] * 0x10 0x8\n",
         "t.csv:2: expected an event: + ADDRESS SIZE, - ADDRESS, < ADDRESS, > ADDRESS SIZE"},
        {"= Start\n@ a:[0x1] + 0x10\n", "t.csv:2: no size; expected 0x and hexadecimal digits"},
        {"= Start\n- 16\n", "t.csv:2: no address; expected 0x and hexadecimal digits"},
        {"= Start\n- 0x10 0x4\n", "t.csv:2: more behind the event; expected the line's end"},
        {"+ 0x10 0x8\n- 0x10\n- 0x10\n",
         "t.csv:3: a release of 0x10, which is not allocated; expected an address where something "
         "alive begins, or that nothing had before"},
        {"+ 0x10 0x8000000000000000\n", "t.csv:1: a size above 2^63 - 1; expected less"},
    };
#undef HEADER
    struct error error = {""};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct trace *trace = read_text(row[i].text, "t.csv", &error);

        is_text(trace == NULL ? error.text : "read", row[i].message, "refused with its place");
        trace_free(trace);
    }
}

static void test_mtrace(void)
{
    reads("= Start\n@ ./a b:(main+0x1d)[0x5581] + 0x1000 0x40\n@ [0x77] + 0x1040 0x10\n"
          "@ ./a b:(f+0x2b)[0x558f] < 0x1000\n@ ./a b:(f+0x2b)[0x558f] > 0x1100 0x80\n"
          "- 0x1040\r\n@ x:[0x1] - 0x9000\n@ x:[0x1] ! 0x1100 0x800\n+ (nil) 0x5\n"
          "@ x:[0x1] + 0x2000 0\n@ x:[0x1] - 0x2000\n= End\n",
          "m.txt",
          "malloc: before 0, after 1, empty 1, unknown 1, lost 0, used 208, reserved -1\n"
          "0x1000 64 [1, 3) at 0\n0x1040 16 [2, 5) at 64\n0x1100 128 [4, 9) at 80\n",
          "mtrace: malloc, realloc, free, what failed, what was there before");
}

/* The two kinds of JSON, as the fuzzer's corpus has them.  */
static void test_json(void)
{
    static const struct {
        const char *text, *message;
    } row[] = {
        {"{\"traceEvents\": [}", "t.json:1:18: no JSON: "},
        {"[]", "t.json: the file: expected an object with the array 'traceEvents'"},
        {"{\"traceEvents\": []}", "t.json: traceEvents: no event is called [memory]"},
        {"{\"traceEvents\": [{\"name\": \"[memory]\", \"ts\": 1, \"args\": {\"Bytes\": 4}}]}",
         "t.json: traceEvents[0].args: no member 'Addr'"},
        {"{\"traceEvents\": [{\"name\": \"[memory]\", \"ts\": \"1\", \"args\": {}}]}",
         "t.json: traceEvents[0]: 'ts': expected a number"},
        {"{\"device_traces\": [[{\"action\": \"alloc\", \"addr\": -1, \"size\": 1}]], "
         "\"segments\": []}",
         "t.json: device_traces[0][0]: 'addr': expected a whole number from 0 on"},
        {"{\"device_traces\": []}", "t.json: the file: no member 'segments'"},
        {"{\"device_traces\": [[{\"action\": \"alloc\", \"addr\": 8, \"size\": 8, \"stream\": "
         "0}, {\"action\": \"alloc\", \"addr\": 15, \"size\": 8, \"stream\": 0}]], \"segments\": "
         "[]}",
         "t.json: device_traces[0][1]: an allocation at 0xf inside of 8 bytes at 0x8"},
    };

    if (trace_json_absent() != NULL) {
        tap_skip(8 + (int)(sizeof row / sizeof row[0]), trace_json_absent());
        return;
    }
    reads_file("chrome",
               "cpu: before 0, after 0, empty 0, unknown 0, lost 0, used 64, reserved -1\n"
               "0x1000 64 [1, 5) at 0\n"
               "cuda:0: before 1, after 1, empty 0, unknown 0, lost 1, used 868, reserved -1\n"
               "0x2000 100 [0, 4) at 768\n0x200 512 [2, 3) at 0\n0x300 512 [3, 6) at 256\n",
               "a Chrome trace: by time, on devices, with a release that is missing");
    reads_file(
        "snapshot",
        "cuda:0 stream 0: before 2, after 1, empty 0, unknown 0, lost 0, used 1900, reserved "
        "2101248\n0x400 500 [0, 1) at 400\n0x200 400 [0, 5) at 0\n"
        "0x400000 1000 [2, 3) at 900\n"
        "cuda:0 stream 7: before 0, after 1, empty 0, unknown 0, lost 0, used 10, reserved "
        "512\n0x800 10 [4, 5) at 0\n",
        "a snapshot: events, what was there all the time, segments");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct error error = {""};
        struct trace *trace = read_text(row[i].text, "t.json", &error);

        error.text[strlen(row[i].message)] = '\0';
        is_text(trace == NULL ? error.text : "read", row[i].message, "refused with its place");
        trace_free(trace);
    }
}

/* --- random recordings --- */

/* Many events are more than a chunk of ranges.  */
enum { FEW_EVENTS = 120, MANY_EVENTS = 1500, SPACE = 5 };

/* All blocks there ever were, in a list.  */
struct plain_block {
    uint64_t address;
    int64_t size, begin, end; /* end 0: alive */
};
struct plain {
    struct plain_block block[MANY_EVENTS];
    size_t n;
    int64_t events;
};

static bool meets(const struct plain_block *block, uint64_t address, int64_t size)
{
    return block->address < address + (uint64_t)size &&
           address < block->address + (uint64_t)block->size;
}

/* What the reader has to say to an event: whether it can be.  */
static bool plain_event(struct plain *plain, bool allocates, uint64_t address, int64_t size)
{
    struct plain_block *found = NULL;
    bool used = false;

    for (size_t b = 0; b < plain->n; b++) {
        struct plain_block *block = &plain->block[b];

        used = used || meets(block, address, size);
        if (block->end == 0 && meets(block, address, allocates ? size : 1))
            found = block;
    }
    if (found != NULL && (allocates || found->address != address || found->size != size))
        return false;
    if (!allocates && found == NULL && used)
        return false;
    plain->events++;
    if (found != NULL)
        found->end = plain->events;
    else
        plain->block[plain->n++] = (struct plain_block){
            address, size, allocates ? plain->events : 0, allocates ? 0 : plain->events};
    return true;
}

/* The trace has the same blocks, each once, and its plan is valid.  */
static bool same_blocks(const struct plain *plain, const struct trace *trace)
{
    const struct trace_pool *pool = &trace->pool[0];
    struct error error = {""};
    struct instance *instance = trace_instance(trace, 0, &error);
    struct plan *open = trace_plan(trace, 0, instance, false, &error);
    struct plan *closed = trace_plan(trace, 0, instance, true, &error);
    bool same = pool->n == plain->n && trace->events == plain->events &&
                verify_plan(instance, open, &error) && verify_plan(instance, closed, &error) &&
                closed->peak == pool->used_bytes && closed->peak <= open->peak;

    for (size_t b = 0; same && b < plain->n; b++) {
        const struct plain_block *block = &plain->block[b];
        size_t times = 0;

        for (size_t i = 0; i < pool->n; i++)
            times += pool->block[i].address == block->address &&
                     pool->block[i].size == block->size && pool->block[i].begin == block->begin &&
                     pool->block[i].end == (block->end == 0 ? plain->events + 1 : block->end);
        same = times == 1;
    }
    plan_free(open);
    plan_free(closed);
    instance_free(instance);
    return same;
}

/* Events drawn without care, most of which can be: those that can't are left out of every other
 * recording, and end the others.  */
static bool one_recording(struct rng *rng, bool careful, int64_t most)
{
    struct plain plain = {.n = 0};
    char *text = memory_strdup("time,event,address,size\n");
    const int64_t events = rng_range(rng, 1, most);
    struct error error = {""};
    struct trace *trace;
    bool good = true, same;

    for (int64_t e = 0; good && e < events; e++) {
        struct plain_block drawn = {(uint64_t)rng_range(rng, 1, SPACE * most),
                                    rng_range(rng, 1, 12), 0, 0};
        const bool allocates = rng_range(rng, 0, 1) == 0;

        if (!allocates && plain.n > 0 && rng_range(rng, 0, 9) > 0)
            drawn = plain.block[rng_range(rng, 0, (int64_t)plain.n - 1)];
        good = plain_event(&plain, allocates, drawn.address, drawn.size);
        if (!good && careful) {
            good = true;
            continue;
        }
        text = memory_append(text, "%" PRId64 ",%s,%" PRIu64 ",%" PRId64 "\n", e,
                             allocates ? "alloc" : "free", drawn.address, drawn.size);
    }
    trace = read_text(text, "t.csv", &error);
    same = good ? trace != NULL &&
                      (plain.n == 0 || (same_blocks(&plain, trace) && same_samples(trace, 0)))
                : trace == NULL && strncmp(error.text, "t.csv:", 6) == 0;
    if (!same)
        tap_diag("%s%s", text, error.text);
    trace_free(trace);
    memory_free(text);
    return same;
}

static void test_random(void)
{
    struct rng *rng = rng_new(11);
    const int rounds = tap_tier(1000, 10000);
    int same = 0;

    for (int round = 0; round < rounds && same == round; round++)
        same += one_recording(rng, round % 2 == 0, round % 100 == 0 ? MANY_EVENTS : FEW_EVENTS);
    is_int(same, rounds, "random recordings, read or refused as by who looks at all blocks");
    rng_free(rng);
}

/* Many events, many alive at once: in the file's order of magnitude, not in its square.  */
static void test_large(void)
{
    const int events = tap_tier(100000, 1000000);
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    struct error error = {""};
    struct trace *trace;
    clock_t start;
    double seconds;

    fputs("time,event,address,size\n", out);
    for (int e = 0; e < events / 2; e++)
        fprintf(out, "%d,alloc,0x%x,%d\n", e, 0x1000 + 64 * (int)((e * 7919LL) % (events / 2)),
                e % 64 + 1);
    for (int e = 0; e < events / 2; e++)
        fprintf(out, "%d,free,0x%x,\n", events / 2 + e,
                0x1000 + 64 * (int)((e * 104729LL) % (events / 2)));
    memory_stream_close(out);
    start = clock();
    trace = read_text(text, "t.csv", &error);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ok(trace != NULL && trace->events == events && trace->pool[0].after == 0, "%d events are read",
       events);
    tap_diag("%.2f s", seconds);
    ok(seconds < 10.0, "in time, under sanitizers too");
    trace_free(trace);
    memory_free(text);
}

int main(void)
{
    test_csv();
    test_refusals();
    test_mtrace();
    test_json();
    test_random();
    test_large();
    return tap_done();
}
