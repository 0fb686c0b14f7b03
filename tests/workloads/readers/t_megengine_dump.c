/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MegEngine's dumps: what they mean, and what is refused where.  */
#include <config.h>

#include "workloads/readers/megengine/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/intervals.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/readers/megengine/dump_write.h"

static struct instance *read_text(const char *text, struct error *error)
{
    return megengine_dump_read(text, strlen(text), "d.txt", "d", error);
}

/* "id[begin,end)lo-hi+... ...".  */
static char *describe(const struct instance *instance)
{
    char *text = memory_strdup("");

    for (size_t b = 0; b < instance->n; b++)
        for (size_t p = 0; p < instance->buffer[b].pieces; p++) {
            const struct piece *piece = &instance->piece[instance->buffer[b].first_piece + p];

            text = memory_append(text, "%s%s[%" PRId64 ",%" PRId64 ")%" PRId64 "-%" PRId64,
                                 p > 0   ? "+"
                                 : b > 0 ? " "
                                         : "",
                                 p > 0 ? "" : instance->buffer[b].id, piece->begin, piece->end,
                                 piece->lo, piece->hi);
        }
    return text;
}

static void accepted(void)
{
    static const struct {
        const char *what, *text, *want;
        int64_t load;
    } cases[] = {
        {"nothing", "0\n0\n", "", 0},
        {"no overwrites", "2\n0 2 10\n1 3 20\n0\n", "0[0,2)0-10 1[1,3)0-20", 30},
        {"numbers anywhere", " 1 0\t2\r\n10 0", "0[0,2)0-10", 10},
        /* The article's: chunk 2 of 10 over chunk 1 of 20, at 6.  */
        {"the article's example", "2\n0 3 20\n2 5 10\n1\n1 0 6\n", "0[0,3)0-20+[2,5)6-16", 20},
        {"a chain of three", "3\n0 2 20\n1 4 10\n3 5 4\n2\n1 0 6\n2 1 5\n",
         "0[0,2)0-20+[1,4)6-16+[3,5)11-15", 20},
        {"a chain in any order", "3\n3 5 4\n1 4 10\n0 2 20\n2\n0 1 5\n1 2 6\n",
         "2[0,2)0-20+[1,4)6-16+[3,5)11-15", 20},
        {"of two overwriters the larger", "3\n0 3 20\n2 4 5\n2 4 8\n2\n1 0 0\n2 0 5\n",
         "0[0,3)0-20+[2,4)5-13 1[2,4)0-5", 25},
        {"not at the last step: no overwrite", "2\n0 4 20\n2 5 10\n1\n1 0 6\n",
         "0[0,4)0-20 1[2,5)0-10", 30},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error error = {""};
        struct instance *instance = read_text(cases[i].text, &error);
        char *got;

        if (!ok(instance != NULL, "%s%s", cases[i].what, error.text))
            continue;
        got = describe(instance);
        is_text(got, cases[i].want, "%s: buffers", cases[i].what);
        is_int(instance->load, cases[i].load, "%s: load", cases[i].what);
        is_int((int64_t)instance->n_overwrites, (int64_t)(instance->pieces - instance->n),
               "%s: links", cases[i].what);
        free(got);
        instance_free(instance);
    }
}

static void refused(void)
{
    static const struct {
        const char *text, *place, *what;
    } bad[] = {
        {"", "d.txt:1:1: ", "the end of the file; expected the number of intervals"},
        {"\n x", "d.txt:2:2: ", "not a number"},
        {"-1\n", "d.txt:1:1: ", "not a number"},
        {"99999999999999999999\n", "d.txt:1:1: ", "fits in 64 bits"},
        {"9223372036854775807\n", "d.txt:2:1: ", "the end of the file; expected the step"},
        {"1\n0 2\n", "d.txt:3:1: ", "expected its size"},
        {"1\n2 2 5\n0\n", "d.txt:2:3: ", "the interval is empty"},
        {"1\n0 2 0\n0\n", "d.txt:2:5: ", "size 0"},
        {"1\n0 2 5\n", "d.txt:3:1: ", "expected the number of overwrites"},
        {"1\n0 2 5\n0\n7\n", "d.txt:4:1: ", "data after the last overwrite"},
        {"2\n0 3 5\n2 4 5\n1\n2 0 0\n", "d.txt:5:1: ", "no such interval"},
        {"2\n0 3 5\n2 4 5\n1\n1 2 0\n", "d.txt:5:3: ", "no such interval"},
        {"2\n0 3 5\n2 4 5\n1\n1 1 0\n", "d.txt:5:3: ", "begins no earlier"},
        {"2\n0 3 5\n3 4 5\n1\n1 0 0\n", "d.txt:5:3: ", "not in use"},
        {"2\n0 1 5\n0 1 5\n2\n1 0 0\n0 1 0\n", "d.txt:5:3: ", "begins no earlier"},
        {"2\n0 3 5\n2 4 5\n1\n1 0 1\n", "d.txt:5:5: ", "does not fit"},
        {"2\n0 3 5\n2 4 6\n1\n1 0 0\n", "d.txt:5:5: ", "does not fit"},
        {"2\n0 1 9223372036854775807\n0 1 9223372036854775807\n0\n", "d.txt: ", "overflows"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};

        ok(read_text(bad[i].text, &error) == NULL &&
               strncmp(error.text, bad[i].place, strlen(bad[i].place)) == 0 &&
               strstr(error.text, bad[i].what) != NULL,
           "refused: %s", error.text);
    }
}

/* The lower bound that MegEngine reports, worked out as its code does: what begins
 * without overwriting adds its size; what ends takes its own away and adds that
 * of what overwrites it.  On overwrites of the whole that is the load; a part
 * makes it smaller only a step later.  */
static int64_t reported_bound(const struct instance *instance)
{
    int64_t bound = 0;

    for (int64_t time = 0; time <= 40; time++) {
        int64_t usage = 0;

        for (size_t p = 0; p < instance->pieces; p++) {
            const struct piece *piece = &instance->piece[p];
            int64_t begin = piece->begin;

            for (size_t i = 0; i < instance->n_overwrites; i++)
                if (instance->overwrite[i].by == p)
                    begin = instance->piece[instance->overwrite[i].of].end;
            if (begin <= time && time < piece->end)
                usage += piece->hi - piece->lo;
        }
        bound = usage > bound ? usage : bound;
    }
    return bound;
}

/* A dump of up to MOST intervals, at most 40, with all wishes that can be.  */
static char *random_dump(struct rng *rng, int64_t most)
{
    int64_t n = rng_range(rng, 1, most), begin[40], end[40], size[40], wishes = 0;
    char *list = memory_printf("%" PRId64 "\n", n), *wish = memory_strdup(""), *text;

    for (int64_t i = 0; i < n; i++) {
        begin[i] = rng_range(rng, 0, 20);
        end[i] = begin[i] + rng_range(rng, 1, 6);
        size[i] = rng_range(rng, 1, 9);
        text = memory_printf("%s%" PRId64 " %" PRId64 " %" PRId64 "\n", list, begin[i], end[i],
                             size[i]);
        free(list);
        list = text;
    }
    for (int64_t s = 0; s < n; s++)
        for (int64_t d = 0; d < n; d++)
            if (begin[d] < begin[s] && begin[s] < end[d] && size[s] <= size[d]) {
                text = memory_printf("%s%" PRId64 " %" PRId64 " %" PRId64 "\n", wish, s, d,
                                     rng_range(rng, 0, size[d] - size[s]));
                free(wish);
                wish = text;
                wishes++;
            }
    text = memory_printf("%s%" PRId64 "\n%s", list, wishes, wish);
    free(list);
    free(wish);
    return text;
}

static void bounds(void)
{
    struct rng *rng = rng_new(11);
    int cases = tap_tier(100, 1000), bad = 0, links = 0;

    for (int c = 0; c < cases; c++) {
        char *text = random_dump(rng, 12);
        struct instance *instance = read_text(text, NULL);

        bad += instance == NULL || instance->load != reported_bound(instance);
        links += instance != NULL && instance->n_overwrites > 0;
        instance_free(instance);
        free(text);
    }
    is_int(bad, 0, "the load is the lower bound that MegEngine reports");
    ok(links > cases / 4, "on many dumps with overwrites (%d)", links);
    rng_free(rng);
}

/* --- written --- */

static char *written(const struct instance *instance)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    ok(out != NULL && megengine_dump_write(out, instance), "%s: written", instance->name);
    if (out != NULL)
        fclose(out);
    return text;
}

/* Whether both have the same pieces and overwrites in the same buffers, ids apart.  */
static bool same_memory(const struct instance *a, const struct instance *b)
{
    bool same = a->n == b->n && a->pieces == b->pieces && a->n_overwrites == b->n_overwrites &&
                a->load == b->load && a->width == b->width;

    for (size_t i = 0; same && i < a->n; i++)
        same = a->buffer[i].size == b->buffer[i].size && a->buffer[i].pieces == b->buffer[i].pieces;
    for (size_t i = 0; same && i < a->pieces; i++)
        same = a->piece[i].begin == b->piece[i].begin && a->piece[i].end == b->piece[i].end &&
               a->piece[i].lo == b->piece[i].lo && a->piece[i].hi == b->piece[i].hi;
    for (size_t i = 0; same && i < a->n_overwrites; i++)
        same = a->overwrite[i].by == b->overwrite[i].by &&
               a->overwrite[i].of == b->overwrite[i].of &&
               a->overwrite[i].offset == b->overwrite[i].offset &&
               a->overwrite[i].step == b->overwrite[i].step;
    return same;
}

static void is_round_trip(const struct instance *instance)
{
    struct error error = {""};
    char *text = written(instance);
    struct instance *again = read_text(text, &error);

    ok(again != NULL && same_memory(instance, again), "%s: the same when read again%s",
       instance->name, error.text);
    instance_free(again);
    free(text);
}

static void round_trips(void)
{
    static const char *const specs[] = {"vgg16",
                                        "resnet50:alias=on,inplace=megengine",
                                        "mobilenet_v2:alias=on,inplace=nnc",
                                        "densenet121:inplace=megengine",
                                        "resnet50:train=sgd,inplace=megengine",
                                        "uniform:n=50,seed=3"};
    struct rng *rng = rng_new(12);

    for (int c = 0; c < tap_tier(50, 500); c++) {
        char *text = random_dump(rng, 12);
        struct instance *instance = read_text(text, NULL);

        is_round_trip(instance);
        instance_free(instance);
        free(text);
    }
    rng_free(rng);
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct error error = {""};
        struct instance *instance = instance_from(specs[i], &error);

        if (!ok(instance != NULL, "%s: an instance%s", specs[i], error.text))
            continue;
        is_int((int64_t)megengine_dump_losses(instance).joined, 0, "%s: nothing is joined",
               specs[i]);
        is_round_trip(instance);
        instance_free(instance);
    }
}

/* Whether SPEC's plan of INSTANCE is also that of what is read back: an id there is the number
 * of the buffer's first interval.  */
static bool same_plans(const char *spec, const struct instance *instance)
{
    struct error error = {""};
    char *text = written(instance);
    struct instance *again = read_text(text, &error);
    size_t *number = intervals_number(instance);
    struct plan *plan = solver_plan(spec, instance, 1), *other = solver_plan(spec, again, 1);
    bool same = plan->peak == other->peak && again->n == instance->n;

    for (size_t b = 0; same && b < again->n; b++) {
        size_t of = 0;

        while (of < instance->n &&
               number[instance->buffer[of].first_piece] != strtoul(again->buffer[b].id, NULL, 10))
            of++;
        same = of < instance->n && plan->offset[of] == other->offset[b];
    }
    plan_free(plan);
    plan_free(other);
    free(number);
    instance_free(again);
    free(text);
    return same;
}

/* A planner that takes intervals in the order of the file takes them in the same order.  */
static void plans(void)
{
    static const char *const planners[] = {"megengine-pushdown", "megengine-best-fit",
                                           "megengine-interval-move"};
    static const char *const specs[] = {
        "resnet50:inplace=megengine", "mobilenet_v2:alias=on,inplace=megengine",
        "densenet121:inplace=megengine", "inception_v3:inplace=megengine",
        "resnet18:train=sgd,inplace=megengine"};
    enum { ROUNDS = 200 };
    struct rng *rng = rng_new(13);
    int same[3] = {0}, links = 0;

    for (int c = 0; c < ROUNDS; c++) {
        char *text = random_dump(rng, 40);
        struct instance *instance = read_text(text, NULL);

        links += instance->n_overwrites > 1;
        for (int i = 0; i < 3; i++)
            same[i] += same_plans(planners[i], instance);
        instance_free(instance);
        free(text);
    }
    for (int i = 0; i < 3; i++)
        is_int(same[i], ROUNDS, "%s: the same plans of what is read back", planners[i]);
    ok(links > ROUNDS / 2, "with overwrites (%d)", links);
    rng_free(rng);
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        struct instance *instance = instance_of(specs[s]);

        for (int i = 0; i < 3; i++)
            ok(same_plans(planners[i], instance), "%s, %s: the same plan", specs[s], planners[i]);
        instance_free(instance);
    }
}

/* a is idle for a while; b's second piece lies beside its first, not over it; c is of one
 * step, in which d overwrites it; e has size 0.  */
static void losses(void)
{
    const struct piece idle[] = {{0, 2, 0, 8, true}, {3, 5, 0, 8, true}};
    const struct piece beside[] = {{1, 3, 0, 4, true}, {2, 4, 4, 6, true}};
    const struct piece at_once[] = {{2, 3, 0, 8, true}, {2, 4, 2, 4, true}};
    struct instance *instance = instance_new("lossy");
    struct megengine_dump_losses lost;
    struct error error = {""};
    size_t c;
    char *text;

    instance_add_pieces(instance, "a", idle, 2, 16);
    instance_add_pieces(instance, "b", beside, 2, 1);
    c = instance->pieces;
    instance_add_pieces(instance, "c", at_once, 2, 1);
    instance_add_overwrite(instance, c + 1, c);
    instance_add(instance, "e", 0, 1, 0, 1);
    ok(instance_seal(instance, NULL, &error), "sealed");
    lost = megengine_dump_losses(instance);
    ok(lost.joined == 3 && lost.empty == 1 && lost.alignment, "what a dump can't say is counted");
    text = written(instance);
    is_text(text, "3\n0 5 8\n1 4 6\n2 4 8\n0\n", "bounding rectangles");
    free(text);
    instance_free(instance);
    instance = instance_new("early");
    instance_add(instance, "a", -1, 2, 8, 1);
    ok(instance_seal(instance, NULL, &error) && !megengine_dump_writable(instance, &error) &&
           strstr(error.text, "'a' begins at step -1") != NULL,
       "refused: %s", error.text);
    instance_free(instance);
}

int main(void)
{
    accepted();
    refused();
    bounds();
    round_trips();
    plans();
    losses();
    return tap_done();
}
