/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verifier and the replay: what they accept and what they refuse.  */
#include <config.h>

#include "lib/judge/verify.h"
#include "lib/lifetimes/origin.h"

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/network_text.h"
#include "tests/support/tap.h"

/* B touches A, so it may share its bytes.  */
static const char sample[] = "a 0 2 10; b 2 4 10; c 1 3 4 4";

static void set(struct plan *plan, const struct instance *instance, int64_t a, int64_t b, int64_t c)
{
    plan->offset[0] = a;
    plan->offset[1] = b;
    plan->offset[2] = c;
    plan->peak = plan_peak(instance, plan);
}

static void refused(const struct instance *instance, const struct plan *plan, const char *what)
{
    struct error error = {""};

    ok(!verify_plan(instance, plan, &error) && strstr(error.text, what) != NULL, "refused: %s",
       what);
}

static void geometry(void)
{
    struct instance *instance = instance_of_rows(sample);
    struct plan *plan = plan_new(instance);
    struct error error = {""};

    set(plan, instance, 0, 0, 12);
    ok(verify_plan(instance, plan, &error), "touching lifetimes may share bytes");
    set(plan, instance, 0, 5, 16);
    ok(verify_plan(instance, plan, &error), "in part too");
    set(plan, instance, 0, 0, 8);
    refused(instance, plan, "'a' at [0, 10) and 'c' at [8, 12) overlap at step 1");
    set(plan, instance, 0, 3, 12);
    refused(instance, plan, "'c' at [12, 16) and 'b' at [3, 13) overlap at step 2");
    set(plan, instance, 0, 0, 14);
    refused(instance, plan, "not a multiple of alignment 4");
    set(plan, instance, -1, 0, 12);
    refused(instance, plan, "is negative");
    set(plan, instance, 0, 0, 12);
    plan->offset[0] = INT64_MAX - 3;
    refused(instance, plan, "overflows");
    set(plan, instance, 0, 0, 12);
    plan->peak--;
    refused(instance, plan, "says peak 15, it is 16");
    plan->peak += 2;
    refused(instance, plan, "says peak 17, it is 16");
    plan->peak--;
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 2;
    plan->object[2] = 1;
    plan->object_size[0] = 10;
    plan->object_size[1] = 3;
    refused(instance, plan, "larger than its object");
    plan->object[2] = 2;
    refused(instance, plan, "object 2 of 2");
    plan_free(plan);
    instance_free(instance);
}

/* What somebody else has placed stays there, aligned or not.  */
static void fixed_offsets(void)
{
    struct instance *instance = instance_new("fixed");
    struct plan *plan;
    struct error error = {""};

    rows_add(instance, sample);
    instance_fix(instance, 2, 3);
    plan = plan_new(sealed(instance));
    set(plan, instance, 7, 8, 3);
    ok(verify_plan(instance, plan, &error), "a fixed buffer need not be aligned");
    set(plan, instance, 0, 0, 12);
    refused(instance, plan, "'c': offset 12, but it is fixed at 3");
    set(plan, instance, 7, 6, 3);
    refused(instance, plan, "'c' at [3, 7) and 'b' at [6, 16) overlap at step 2");
    plan_free(plan);
    instance_free(instance);
}

/* Against the definition, pair by pair, on random plans.  */
static void random_plans(void)
{
    int agreed = 0, valid = 0, runs = tap_tier(2000, 20000);
    struct rng *rng = rng_new(5);
    struct error error = {""};

    for (int run = 0; run < runs; run++) {
        struct instance *instance = instance_new("random");
        int64_t n = rng_range(rng, 1, 6);
        struct plan *plan;
        bool clean = true;

        for (int64_t b = 0; b < n; b++) {
            int64_t begin = rng_range(rng, -3, 5);
            char id[] = {(char)('a' + b), '\0'};

            instance_add(instance, id, begin, begin + rng_range(rng, 1, 4), rng_range(rng, 1, 5),
                         1);
        }
        sealed(instance);
        plan = plan_new(instance);
        for (size_t b = 0; b < instance->n; b++)
            plan->offset[b] = rng_range(rng, 0, 12);
        plan->peak = plan_peak(instance, plan);
        for (size_t i = 0; i < instance->n; i++)
            for (size_t j = 0; j < i; j++) {
                const struct buffer *x = &instance->buffer[i], *y = &instance->buffer[j];

                if (buffers_overlap_in_time(x, y) && plan->offset[i] < plan->offset[j] + y->size &&
                    plan->offset[j] < plan->offset[i] + x->size)
                    clean = false;
            }
        agreed += verify_plan(instance, plan, &error) == clean;
        valid += clean;
        plan_free(plan);
        instance_free(instance);
    }
    is_int(agreed, runs, "the verifier agrees with the definition on %d random plans", runs);
    ok(valid > runs / 10 && valid < runs * 9 / 10, "of which %d were valid", valid);
    rng_free(rng);
}

static void interlocking(void)
{
    /* An L-shaped buffer: 8 bytes in [0, 2), then its upper half in [2, 4);
     * another one fits in the corner.  */
    struct instance *instance = instance_new("L"), *joined;
    struct plan *plan;
    struct error error = {""};

    rows_add(instance, "L 0 2 0-8 + 1 4 4-8; corner 2 4 4");
    sealed(instance);
    plan = plan_new(instance);
    plan->peak = 8;
    ok(verify_plan(instance, plan, &error), "pieces interlock");
    joined = instance_joined(instance);
    ok(!verify_plan(joined, plan, &error), "their rectangles do not");
    plan->offset[1] = 3;
    ok(!verify_plan(instance, plan, &error), "overlap with a piece is refused");
    instance_free(joined);
    plan_free(plan);
    instance_free(instance);
}

/* A chain of five operators whose outputs have UNIT bytes each, the fourth
 * SHORTER bytes less; the last one also reads the first's.  */
static struct instance *chain_instance(int64_t unit, int64_t shorter)
{
    const struct lifetime_options options = {.io = IO_NONE};
    struct network *network = network_of_text(
        "chain", "o0:1 = f(); o1:1 = f(o0); o2:1 = f(o1); o3:1 = f(o2); o4!:1 = f(o3, o0)");

    for (size_t i = 0; i < 5; i++)
        network->value[i].dim[0] = unit - (i == 3 ? shorter : 0);
    return lifetimes_of(network, NULL, &options);
}

static void replay(int64_t unit, int64_t shorter, enum replay_kind kind)
{
    struct instance *instance = chain_instance(unit, shorter);
    struct plan *plan = plan_new(instance);
    enum replay_kind used = REPLAY_NONE;
    struct error error = {""};
    int64_t *step = instance->origin->schedule->step;

    plan->offset[1] = unit;
    plan->offset[2] = 2 * unit;
    plan->offset[3] = unit;
    plan->peak = 3 * unit;
    ok(verify_plan(instance, plan, &error), "the plan is geometrically right");
    ok(verify_replay(instance, plan, &used, &error), "and replays (%s)", error.text);
    is_text(replay_name(used), replay_name(kind), "with unit %lld", (long long)unit);
    /* Behind the plan's back, o3 runs before o2: it takes the bytes of o1.  */
    step[3] = 2;
    step[2] = 3;
    ok(verify_plan(instance, plan, &error), "geometry can't see an altered schedule");
    ok(!verify_replay(instance, plan, NULL, &error) &&
           strstr(error.text, "was overwritten") != NULL,
       "the replay does: %s", error.text);
    step[2] = 2;
    step[3] = 3;
    plan->offset[3] = unit - 1; /* one byte of o0, which the last operator reads */
    ok(!verify_replay(instance, plan, NULL, &error), "one overlapping byte is found");
    plan->offset[3] = 2 * unit;
    ok(!verify_replay(instance, plan, NULL, &error), "its own input too");
    /* What a replay leaves in memory is no value of the next one, in which o2 runs before o1.  */
    plan->offset[3] = 3 * unit;
    ok(verify_replay(instance, plan, NULL, &error), "apart from all others it replays again");
    step[1] = 2;
    step[2] = 1;
    ok(!verify_replay(instance, plan, NULL, &error), "a value that nobody has written is missed");
    plan_free(plan);
    instance_free(instance);
}

/* The output y is an alias of a, and c runs after both: operator 0 makes a, 1
 * makes y, 2 makes c, 3 makes d from c.  */
static struct instance *alias_instance(const struct lifetime_options *options)
{
    return lifetimes_of(
        network_of_text("alias", "a:8 = f(); y!:8 = alias(a); c:8 = f(); d!:8 = f(c)"), NULL,
        options);
}

/* c in the place of a is right where y is a copy, and wrong where y is a.  */
static void replay_aliases(void)
{
    const struct lifetime_options apart = {.io = IO_NONE};
    const struct lifetime_options shared = {.io = IO_OUTPUTS, .alias = true};
    struct instance *instance = alias_instance(&apart);
    struct plan *plan = plan_new(instance);
    struct error error = {""};

    is_int((int64_t)instance->n, 2, "alias=off: buffers of a and c");
    plan->peak = plan_peak(instance, plan);
    ok(verify_plan(instance, plan, &error), "c may lie where a was (%s)", error.text);
    ok(verify_replay(instance, plan, NULL, &error), "also in the replay (%s)", error.text);
    plan_free(plan);
    instance_free(instance);
    instance = alias_instance(&shared);
    plan = plan_new(instance);
    is_int((int64_t)instance->n, 3, "alias=on: buffers of a with y, c and d");
    plan->offset[2] = 8;
    plan->peak = plan_peak(instance, plan);
    ok(!verify_plan(instance, plan, &error), "c may not lie where y is");
    ok(!verify_replay(instance, plan, NULL, &error) && strstr(error.text, "'y'") != NULL,
       "nor in the replay: %s", error.text);
    plan->offset[1] = 16;
    plan->peak = plan_peak(instance, plan);
    ok(verify_replay(instance, plan, NULL, &error), "elsewhere it may (%s)", error.text);
    plan_free(plan);
    instance_free(instance);
}

/* Operators that share a step write before any of them reads.  */
static void replay_shared_step(void)
{
    struct network *network = network_of_text("two", "a:8 = f(); b:8 = f(); c!:8 = f(b)");
    struct lifetime_options options = {.io = IO_NONE};
    struct schedule *schedule = schedule_file_order(network);
    struct instance *instance;
    struct plan *plan;
    struct error error = {""};

    schedule->step[1] = 0;
    schedule->step[2] = 1;
    schedule->steps = 2;
    schedule->serial = false;
    instance = lifetimes_of(network, schedule, &options);
    plan = plan_new(instance);
    plan->peak = plan_peak(instance, plan);
    ok(!verify_replay(instance, plan, NULL, &error), "values of one step need room each: %s",
       error.text);
    plan->offset[1] = 8;
    plan->peak = plan_peak(instance, plan);
    ok(verify_replay(instance, plan, NULL, &error), "and have it (%s)", error.text);
    plan_free(plan);
    instance_free(instance);
}

/* An operator reads a value with ROLE, a second one reads the first's output, and the
 * instance says that the value is dead by then: its bytes are the second's output.  What says
 * the replay?  */
static bool outlives(enum value_role role, struct error *error)
{
    struct network *network = network_of_text("stored", "w:8; a:8 = f(w); b!:8 = f(a)");
    size_t *value = memory_alloc(3, sizeof *value);
    struct instance *instance = instance_new("stored");
    struct plan *plan;
    bool good;

    network->value[0].role = role;
    memcpy(value, (size_t[]){0, 1, 2}, 3 * sizeof *value);
    rows_add(instance, "w 0 1 8; a 0 2 8; b 1 2 8");
    instance_set_origin(instance, network, schedule_file_order(network), value);
    plan = plan_new(sealed(instance));
    plan->offset[1] = 8;
    plan->peak = plan_peak(instance, plan);
    good = verify_plan(instance, plan, error) && verify_replay(instance, plan, NULL, error);
    plan_free(plan);
    instance_free(instance);
    return good;
}

/* What is stored has to be there for the next run, too.  */
static void replay_stored(void)
{
    struct error error = {""};

    ok(outlives(VALUE_INPUT, &error), "an input may go when it was read (%s)", error.text);
    ok(!outlives(VALUE_WEIGHT, &error) && strstr(error.text, "'w'") != NULL, "a weight may not: %s",
       error.text);
    ok(!outlives(VALUE_CONSTANT, &error) && strstr(error.text, "'w'") != NULL, "nor a constant: %s",
       error.text);
}

/* Operators a, b, z, y, c and d in file order, c before y in the schedule: y is a and b joined in
 * place, nobody reads z, d reads y and c.  Buffers of y (with a and b), z and c.  */
static struct instance *joined_instance(void)
{
    static const int64_t step[] = {0, 1, 2, 4, 3, 5};
    struct network *network =
        network_of_text("joined", "a:8 = f(); b:8 = f(); z:8 = f(); y:16 = concat(a, b); c:8 = f();"
                                  " d!:8 = f(y, c)");
    struct instance *instance = instance_new("joined");
    size_t *value = memory_alloc(3, sizeof *value), *buffer = memory_alloc(6, sizeof *buffer);
    int64_t *place = memory_zalloc(6, sizeof *place);
    struct schedule *schedule = schedule_file_order(network);

    memcpy(schedule->step, step, sizeof step);
    rows_add(instance, "y 0 6 16; z 2 3 8; c 3 6 8");
    memcpy(value, (size_t[]){3, 2, 4}, 3 * sizeof *value);
    instance_set_origin(instance, network, schedule, value);
    memcpy(buffer, (size_t[]){0, 0, 1, 0, 2, SIZE_MAX}, 6 * sizeof *buffer);
    place[1] = 8;
    instance_set_places(instance, buffer, place);
    return sealed(instance);
}

/* What is joined in place is written where its parts are, and nowhere else: not where z was, whose
 * bytes are c's by then.  */
static void replay_joined(void)
{
    struct instance *instance = joined_instance();
    struct plan *plan = plan_new(instance);
    struct error error = {""};

    plan->offset[1] = plan->offset[2] = 16;
    plan->peak = plan_peak(instance, plan);
    ok(verify_plan(instance, plan, &error), "c may lie where z was (%s)", error.text);
    ok(verify_replay(instance, plan, NULL, &error), "while parts are joined, too (%s)", error.text);
    plan->offset[2] = 15;
    ok(!verify_replay(instance, plan, NULL, &error) && strstr(error.text, "'b'") != NULL,
       "but not where one of them is: %s", error.text);
    plan_free(plan);
    instance_free(instance);
}

int main(void)
{
    geometry();
    fixed_offsets();
    random_plans();
    interlocking();
    replay(1000, 0, REPLAY_BYTES);
    replay(1003, 0, REPLAY_BYTES);
    replay(INT64_C(1) << 20, 0, REPLAY_SCALED);
    replay((INT64_C(1) << 20) + 3, 1, REPLAY_SEGMENTS);
    replay(INT64_C(1) << 30, 0, REPLAY_SCALED);
    replay(INT64_C(1) << 30, 1, REPLAY_SEGMENTS);
    replay_aliases();
    replay_shared_step();
    replay_stored();
    replay_joined();
    return tap_done();
}
