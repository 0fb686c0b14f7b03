/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generators with planted optima, alignments and pieces, and those of training and of caches:
 * what their heads promise, from the buffers alone.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/tap.h"

/* What is in use, over all steps of [0, STEPS).  */
struct use {
    int64_t least, most, area;
};

static struct use use_of(const struct instance *instance, int64_t steps)
{
    int64_t *bytes = memory_zalloc((size_t)steps, sizeof *bytes);
    struct use use = {INT64_MAX, 0, 0};

    for (size_t i = 0; i < instance->pieces; i++) {
        const struct piece *piece = &instance->piece[i];

        for (int64_t t = piece->begin; t < piece->end; t++)
            bytes[t] += piece->hi - piece->lo;
    }
    for (int64_t t = 0; t < steps; t++) {
        use.least = min64(use.least, bytes[t]);
        use.most = max64(use.most, bytes[t]);
        use.area += bytes[t];
    }
    free(bytes);
    return use;
}

static void full_cuts(void)
{
    for (int seed = 1; seed <= tap_tier(6, 60); seed++) {
        int64_t n = 1 + 29 * (seed % 11), steps = 15 + seed, height = 64 * (40 + seed);
        char *spec = memory_printf(
            "cuts:n=%d,steps=%d,height=%d,unit=64,pinwheels=%d,skew=%d,joined=%d,seed=%d", (int)n,
            (int)steps, (int)height, seed % 3 * 50, 1 + seed % 4, seed % 2 * 30, seed);
        struct instance *instance = instance_of(spec);
        struct use use = use_of(instance, steps);
        int64_t odd = 0;

        for (size_t i = 0; i < instance->pieces; i++)
            odd += (instance->piece[i].hi - instance->piece[i].lo) % 64 != 0;
        ok(use.least == height && use.most == height && (int64_t)instance->pieces == n && odd == 0,
           "%s: full at every step, in whole units", spec);
        ok(instance->load == height && (instance->n < instance->pieces) == instance->shapes,
           "... the load is the height");
        instance_free(instance);
        free(spec);
    }
}

static void slack_and_alignment(void)
{
    for (int seed = 1; seed <= tap_tier(6, 60); seed++) {
        int64_t most = 1, bad = 0, slack = seed % 6;
        char *spec = memory_printf("cuts:n=300,height=65536,skew=2,slack=%d,align=64,seed=%d",
                                   (int)slack, seed);
        struct instance *instance = instance_of(spec);
        struct use use = use_of(instance, 300);

        for (size_t b = 0; b < instance->n; b++) {
            int64_t alignment = instance->buffer[b].alignment;

            bad += alignment < 1 || (alignment & (alignment - 1)) != 0;
            most = max64(most, alignment);
        }
        ok(use.most == 65536 && 100 * use.area >= (100 - slack) * 65536 * 300 &&
               (slack == 0 || use.area < 65536 * 300),
           "%s: full somewhere, and no more left out than that", spec);
        ok(bad == 0 && most > 1 && most <= 64, "... aligned by powers of two, 64 at most");
        instance_free(instance);
        free(spec);
    }
}

/* All plans of tiny ones: the optimum is the height, whatever is joined and aligned.  */
static void tiny_cuts(void)
{
    int shapes = 0, aligned = 0;

    for (int seed = 1; seed <= tap_tier(20, 300); seed++) {
        char *spec = memory_printf(
            "cuts:n=%d,steps=6,height=8,pinwheels=%d,slack=%d,align=4,joined=%d,seed=%d",
            2 + seed % 5, seed % 2 * 100, seed % 3 * 8, seed % 4 * 30, seed);
        struct instance *instance = instance_of(spec);

        shapes += instance->shapes;
        aligned += instance->max_alignment > 1;
        is_int(piece_case_optimum(instance), 8, "%s: the optimum", spec);
        instance_free(instance);
        free(spec);
    }
    ok(shapes > 2 && aligned > 2, "of them %d have pieces and %d alignments", shapes, aligned);
}

static void filled(void)
{
    struct instance *instance;

    for (int seed = 1; seed <= tap_tier(3, 20); seed++) {
        char *spec = memory_printf("filled:of=chain+short+nested,keep=%d,slack=%d,seed=%d",
                                   60 + 2 * seed, seed % 2 * 4, seed);
        int64_t steps = 0;
        struct use use;

        instance = instance_of(spec);
        for (size_t b = 0; b < instance->n; b++)
            steps = max64(steps, instance->buffer[b].end);
        use = use_of(instance, steps);
        ok(use.most == instance->load && (seed % 2 == 1 || use.least == use.most) &&
               (double)use.area >= 0.96 * (double)use.most * (double)steps,
           "%s: full", spec);
        instance_free(instance);
        free(spec);
    }
    for (int seed = 1; seed <= tap_tier(5, 40); seed++) {
        char *spec = memory_printf("filled:of=gadget:repeat=1,keep=80,parts=1,slack=%d,seed=%d",
                                   seed % 2 * 10, seed);

        instance = instance_of(spec);
        ok(instance->load == 4 && piece_case_optimum(instance) == 4,
           "%s: of a plan of 5 the height is 4, and so is the optimum", spec);
        instance_free(instance);
        free(spec);
    }
}

static void nested(void)
{
    struct instance *instance = instance_of("nested:layers=50,saved=100,workspaces=0,reach=1");
    int64_t bad = 0;

    is_int((int64_t)instance->n, 100, "nested: an activation and a gradient a layer");
    for (size_t i = 0; i < 50; i++) {
        const struct buffer *activation = &instance->buffer[2 * i], *gradient = activation + 1;
        int64_t step = (int64_t)i;

        bad += activation->begin != step || activation->end != 100 - step ||
               gradient->begin != 99 - step || gradient->size != activation->size ||
               gradient->end > 100;
    }
    is_int(bad, 0, "... alive until the gradient's step, one within the other");
    instance_free(instance);
    instance = instance_of("nested:layers=40,saved=0,workspaces=100,reach=3,low=5,high=4000");
    bad = 0;
    for (size_t b = 0; b < instance->n; b++)
        bad += instance->buffer[b].size < 5 || instance->buffer[b].size > 4000 ||
               instance->buffer[b].end - instance->buffer[b].begin > 5;
    ok(bad == 0 && instance->n == 160, "... or for some layers, beside workspaces");
    instance_free(instance);
}

static void caches(void)
{
    struct instance *instance =
        instance_of("caches:layers=3,tokens=10,sequences=1,growth=4,row=100,temporaries=0");
    int64_t bad = 0;

    is_int((int64_t)instance->n, 9, "caches: three of each layer in ten tokens");
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        int64_t layer = (int64_t)b / 3, at = (int64_t)b % 3;

        bad += buffer->size != 400 * (at + 1) || buffer->begin != 12 * at + layer ||
               buffer->end != min64(30, 12 * at + 12 + layer + 1);
    }
    is_int(bad, 0, "... each longer than the one before, and alive with it for a step");
    instance_free(instance);
    instance =
        instance_of("caches:layers=2,tokens=20,sequences=3,temporaries=2,life=5,low=7,high=9");
    bad = 0;
    for (size_t b = instance->n - 80; b < instance->n; b++)
        bad += instance->buffer[b].size < 7 || instance->buffer[b].size > 9 ||
               instance->buffer[b].end - instance->buffer[b].begin > 5;
    ok(bad == 0 && instance->n > 80 + 10, "... beside two temporaries a step");
    instance_free(instance);
}

/* Each layer's cache is one buffer: its pieces follow one another, each longer.  */
static void grown_caches(void)
{
    struct instance *instance = instance_of(
        "caches:grown=on,layers=3,tokens=10,sequences=1,growth=4,row=100,temporaries=0");
    int64_t bad = 0;

    is_int((int64_t)instance->n, 3, "grown caches: one of each layer");
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        bad += buffer->pieces != 3 || buffer->size != 1200 || buffer->begin != (int64_t)b ||
               buffer->end != 30;
        for (size_t i = 0; i < buffer->pieces; i++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + i];
            int64_t at = (int64_t)i;

            bad += piece->lo != 0 || piece->hi != 400 * (at + 1) ||
                   piece->begin != 12 * at + (int64_t)b ||
                   piece->end != (i == 2 ? 30 : 12 * at + 12 + (int64_t)b);
        }
    }
    is_int(bad, 0, "... which grows every four tokens");
    instance_free(instance);
}

/* The pieces of BUFFER: in turn, within its size, one of them all of it; *IDLE are the times
 * between.  */
static bool are_stretches(const struct instance *instance, const struct buffer *buffer,
                          int64_t *idle)
{
    bool whole = false, right = true;
    int64_t end = buffer->begin;

    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &instance->piece[buffer->first_piece + i];

        right = right && piece->begin >= end && piece->lo >= 0 && piece->hi <= buffer->size &&
                (piece->lo == 0 || piece->hi == buffer->size);
        whole = whole || (piece->lo == 0 && piece->hi == buffer->size);
        *idle += piece->begin > end;
        end = piece->end;
    }
    return right && whole && end == buffer->end;
}

static void stretches(void)
{
    struct instance *instance = instance_of(
        "stretches:n=2000,steps=300,life=30,stretches=4,low=50,high=90,least=8,align=64");
    int64_t bad = 0, idle = 0, single = 0, seen = 0;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        bad += buffer->begin < 0 || buffer->end > 300 || buffer->end - buffer->begin > 30 ||
               buffer->size < 50 || buffer->size > 90 || buffer->pieces > 4 ||
               buffer->alignment < 8 || buffer->alignment > 64 ||
               !are_stretches(instance, buffer, &idle);
        seen |= buffer->alignment;
        single += buffer->pieces == 1;
    }
    ok(bad == 0 && instance->n == 2000, "stretches: of buffers within their limits");
    ok(idle > 200 && single > 300, "... %" PRId64 " times idle, %" PRId64 " rectangles", idle,
       single);
    is_int(seen, 8 + 16 + 32 + 64, "... with all alignments");
    instance_free(instance);
    instance = instance_of("stretches:stretches=1");
    ok(!instance->shapes && instance->max_alignment == 1, "... or rectangles alone");
    instance_free(instance);
}

int main(void)
{
    full_cuts();
    slack_and_alignment();
    tiny_cuts();
    filled();
    nested();
    caches();
    grown_caches();
    stretches();
    return tap_done();
}
