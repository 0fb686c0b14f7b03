/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions of convolution kernels: what a kernel that crashes, hangs, or is
 * wrong leaves behind, and that the next layer gets a new process.  */
#include <config.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/timing/conv_bench.h"
#include "harness/timing/conv_session.h"
#include "kernels/layer.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "tests/support/fake_kernel.h"
#include "tests/support/tap.h"

/* A kernel that is right, and misbehaves when it is told to.  */
enum manner {
    GOOD,
    WRONG,
    CRASHES_AT_ONCE,
    CRASHES_LATER,
    HANGS_AT_ONCE,
    HANGS_LATER,
    NO_MEMORY,
    SPINS /* a thread goes on for SPIN_S when the first run has ended */
};

#define SPIN_S 0.1

static const struct param fake_params[] = {
    {"manner", PARAM_INT, "0", NULL, 0, SPINS, "what it does"},
    PARAM_END,
};

struct fake {
    enum manner manner;
    int runs;
};

static bool fake_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    struct fake *fake;

    if (plan->request.shape.groups != 1)
        return error_set(error, "fake: no groups");
    fake = memory_zalloc(1, sizeof *fake);
    fake->manner = (enum manner)params_int(params, "manner");
    plan->state = fake;
    fake_kernel_layouts(plan);
    plan->workspace_bytes = 123;
    plan->choice.co = 7;
    return true;
}

static void fake_clear(struct conv_plan *plan)
{
    free(plan->state);
}

static void *spin(void *unused)
{
    const double end = timer_now() + SPIN_S;

    while (timer_now() < end)
        continue;
    return unused;
}

static void misbehave(struct fake *fake)
{
    pthread_t thread;

    switch (fake->manner) {
    case CRASHES_AT_ONCE:
        abort();
    case CRASHES_LATER:
        if (fake->runs > 1)
            abort();
        break;
    case HANGS_AT_ONCE:
        pause();
        break;
    case HANGS_LATER:
        if (fake->runs > 1)
            pause();
        break;
    case NO_MEMORY:
        memory_exhausted();
    case SPINS:
        if (fake->runs == 1 && pthread_create(&thread, NULL, spin, NULL) == 0)
            pthread_detach(thread);
        break;
    case GOOD:
    case WRONG:
        break;
    }
}

static void fake_run(const struct conv_plan *plan, const float *input, const float *packed,
                     float *output)
{
    const struct tensor_layout *out = &plan->output;
    struct fake *fake = plan->state;

    fake->runs++;
    misbehave(fake);
    fake_kernel_run(plan, input, packed, output);
    if (fake->manner == WRONG)
        output[layout_index(out, 0, out->c - 1, out->h - 1, out->w - 1)] += 1.0F;
}

static const struct conv_kernel fake_kernel = {
    .name = "fake",
    .title = "a kernel for tests",
    .source = "",
    .params = fake_params,
    .isas = 1U << ISA_GENERIC,
    .library = true,
    .tolerance = 1.0,
    .plan = fake_plan,
    .clear = fake_clear,
    .pack = fake_kernel_pack,
    .run = fake_run,
};

static struct conv_session *new_session(int threads, double patience_s)
{
    const struct conv_setup setup = {.kernel = &fake_kernel,
                                     .isa = ISA_GENERIC,
                                     .threads = threads,
                                     .cpu = -1,
                                     .compare_macs = 1000000,
                                     .patience_s = patience_s};

    return conv_session_new(&setup);
}

static struct conv_shape shape_of(const char *text)
{
    struct conv_shape shape;
    struct error error = {""};

    if (!layer_parse(text, &shape, &error))
        abort();
    return shape;
}

static void test_good(void)
{
    const struct conv_shape one = shape_of("c=3,h=5,w=6,k=4,r=3,s=3,pad=1");
    const struct conv_shape two = shape_of("c=2,h=4,w=4,k=5,r=1,s=1");
    struct conv_session *session = new_session(1, 60.0);
    struct conv_facts facts;
    double time = -1.0;

    ok(conv_session_prepare(session, 0, &one, "", false, &facts), "a layer is prepared");
    is_int(facts.end, CONV_END_GOOD, "and right");
    is_int(facts.compared, 4 * 5 * 6, "every output was looked at");
    is_int(facts.workspace_bytes, 123, "workspace as the plan says");
    is_int(facts.packed_bytes, (4 * 3 * 9 + 4) * 4, "packed bytes");
    is_int(facts.choice.co, 7, "the choice of the plan");
    ok(facts.pack_s >= 0.0, "packing was timed");
    ok(conv_session_prepare(session, 3, &one, "", false, &facts), "so is a second slot");
    ok(conv_session_time(session, 0, 2, &time, &facts) && time > 0.0, "the first is timed");
    ok(conv_session_time(session, 3, 1, &time, &facts) && time > 0.0, "and the second");
    ok(conv_session_prepare(session, 1, &two, "", true, &facts), "another layer, with ReLU");
    ok(!conv_session_time(session, 0, 1, &time, &facts), "clears the slots of the one before");
    ok(conv_session_time(session, 1, 1, &time, &facts), "and is timed");
    conv_session_free(session);
    conv_session_free(NULL);
}

/* Preparing with MANNER ends so; the next layer is good again.  */
static void test_bad(enum manner manner, enum conv_end end, const char *text)
{
    const struct conv_shape shape = shape_of("c=3,h=5,w=6,k=4,r=3,s=3,pad=1");
    struct conv_session *session = new_session(1, manner == HANGS_AT_ONCE ? 0.1 : 60.0);
    char *params = memory_printf("manner=%d", manner);
    struct conv_facts facts;

    ok(!conv_session_prepare(session, 0, &shape, params, false, &facts), "manner %d", manner);
    is_int(facts.end, end, "its end");
    ok(strstr(facts.reason, text) != NULL, "its reason: %s", facts.reason);
    conv_session_free(session);
    session = new_session(1, 60.0);
    (void)conv_session_prepare(session, 0, &shape, manner == HANGS_AT_ONCE ? "manner=2" : params,
                               false, &facts);
    ok(conv_session_prepare(session, 0, &shape, "", false, &facts), "then a good one");
    conv_session_free(session);
    free(params);
}

/* The process ends while it is timed.  */
static void test_later(enum manner manner, enum conv_end end)
{
    const struct conv_shape shape = shape_of("c=3,h=5,w=6,k=4,r=3,s=3,pad=1");
    struct conv_session *session = new_session(1, manner == HANGS_LATER ? 0.1 : 60.0);
    char *params = memory_printf("manner=%d", manner);
    struct conv_facts facts;
    double time;

    ok(conv_session_prepare(session, 0, &shape, "", false, &facts), "a good plan in slot 0");
    ok(conv_session_prepare(session, 1, &shape, params, false, &facts), "manner %d in slot 1",
       manner);
    ok(!conv_session_time(session, 1, 1, &time, &facts), "it ends when it is timed");
    is_int(facts.end, end, "as it should");
    ok(!conv_session_time(session, 0, 1, &time, &facts), "slot 0 is gone with it");
    is_int(facts.end, CONV_END_GONE, "which is not its fault");
    ok(conv_session_prepare(session, 0, &shape, "", false, &facts) &&
           conv_session_time(session, 0, 1, &time, &facts),
       "and comes back with a new process");
    conv_session_free(session);
    free(params);
}

static void test_skipped(void)
{
    const struct conv_shape grouped = shape_of("c=4,h=5,w=6,k=4,r=3,s=3,groups=2");
    struct conv_session *session = new_session(1, 60.0);
    struct conv_facts facts;

    ok(!conv_session_prepare(session, 0, &grouped, "", false, &facts), "a layer it can't do");
    is_int(facts.end, CONV_END_SKIPPED, "is skipped");
    is_text(facts.reason, "fake: no groups", "with the reason");
    ok(!conv_session_prepare(session, 0, &grouped, "speed=1", false, &facts), "a bad parameter");
    is_int(facts.end, CONV_END_SKIPPED, "is no crash");
    conv_session_free(session);
}

/* One that crashes among others in interleaved rounds, and the layer after.  */
static void test_bench(void)
{
    static char good[] = "", bad[] = "manner=3";
    const struct conv_contestant two[] = {{&fake_kernel, "fake", bad, ISA_GENERIC, 1, false},
                                          {&fake_kernel, "fake", good, ISA_GENERIC, 1, false}};
    const struct conv_contestant other = {
        conv_kernel_find("mgemm"), "mgemm", good, ISA_GENERIC, 1, false};
    const struct conv_shape shape = shape_of("c=3,h=5,w=6,k=4,r=3,s=3,pad=1");
    struct conv_sessions *sessions = conv_sessions_new(1000000, 60.0);
    struct conv_result result[2];

    conv_bench(sessions, two, 2, &shape, 3, result);
    is_int(result[0].facts.end, CONV_END_CRASHED, "the crash is in the result");
    ok(result[0].round == NULL, "without times");
    is_int(result[1].facts.end, CONV_END_GOOD, "the next in the same session is good");
    ok(result[1].time_s > 0.0 && result[1].peak > 0.0, "and timed beside the peak");
    free(result[1].round);
    conv_bench(sessions, &other, 1, &shape, 3, result);
    ok(result[0].time_s > 0.0, "another kernel");
    free(result[0].round);
    ok(conv_sessions_get(sessions, &fake_kernel, ISA_GENERIC, 1) ==
           conv_sessions_get(sessions, &fake_kernel, ISA_GENERIC, 1),
       "one session for a kernel");
    conv_sessions_free(sessions);
}

/* A turn ends when no thread runs any more.  */
static void test_settled(void)
{
    const struct conv_shape shape = shape_of("c=3,h=5,w=6,k=4,r=3,s=3,pad=1");
    struct conv_session *session;
    struct conv_facts facts;
    const double begin = timer_now();

    if (pool_processors() < 2 || access("/proc/self/task", R_OK) != 0) {
        tap_skip(2, "one processor, or a system that does not say whether threads run");
        return;
    }
    session = new_session(2, 60.0);
    ok(conv_session_prepare(session, 0, &shape, "manner=7", false, &facts), "a thread goes on: %s",
       facts.reason);
    ok(timer_now() - begin >= SPIN_S, "and is waited for");
    conv_session_free(session);
}

/* Settings of a kernel beside each other on two threads, which a session has once.  */
static void test_threads(void)
{
    static char one[] = "", other[] = "co=8";
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    const struct conv_contestant two[] = {{kernel, "mgemm", one, ISA_GENERIC, 2, false},
                                          {kernel, "mgemm", other, ISA_GENERIC, 2, false}};
    const struct conv_shape shape = shape_of("c=8,h=9,w=9,k=16,r=3,s=3,pad=1");
    struct conv_sessions *sessions;
    struct conv_result result[2];

    if (pool_processors() < 2) {
        tap_skip(2, "one processor");
        return;
    }
    sessions = conv_sessions_new(1000000, 60.0);
    conv_bench(sessions, two, 2, &shape, 3, result);
    for (int i = 0; i < 2; i++) {
        is_int(result[i].facts.end, CONV_END_GOOD, "setting %d on two threads: %s", i,
               result[i].facts.reason);
        free(result[i].round);
    }
    conv_sessions_free(sessions);
}

int main(void)
{
    test_good();
    test_bad(WRONG, CONV_END_WRONG, "wrong result");
    test_bad(CRASHES_AT_ONCE, CONV_END_CRASHED, "crashed");
    test_bad(HANGS_AT_ONCE, CONV_END_HUNG, "hung");
    test_bad(NO_MEMORY, CONV_END_MEMORY, "memory");
    test_later(CRASHES_LATER, CONV_END_CRASHED);
    test_later(HANGS_LATER, CONV_END_HUNG);
    test_skipped();
    test_bench();
    test_settled();
    test_threads();
    return tap_done();
}
