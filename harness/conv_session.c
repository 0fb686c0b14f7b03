#include <config.h>

#include "harness/conv_session.h"

#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "kernels/pool.h"
#include "kernels/probe.h"
#include "kernels/reference.h"
#include "lib/checked.h"
#include "lib/memory.h"
#include "lib/rng.h"
#include "lib/timer.h"

struct conv_session {
    pid_t pid;
    int to_child, from_child;
};

/* The process ends itself when nobody asked for anything for so long.  */
enum { PATIENCE_S = 600 };

/* Multiply-adds that comparing with the reference may take.  */
static const int64_t compare_macs = 100000000;

/* The child's side.  */
struct work {
    const struct conv_contestant *contestant;
    struct conv_plan plan;
    struct params params;
    float *input, *filter, *bias;             /* NCHW and K-C-R-S, for the reference */
    float *plan_input, *packed, *plan_output; /* at multiples of 64 bytes */
    struct pool *pool;                        /* the probe's */
};

static bool read_all(int fd, void *data, size_t size)
{
    char *at = data;

    while (size > 0) {
        ssize_t got = read(fd, at, size);

        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static bool write_all(int fd, const void *data, size_t size)
{
    const char *at = data;

    while (size > 0) {
        ssize_t put = write(fd, at, size);

        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

/* The block lives as long as the process.  */
static float *aligned_floats(int64_t count)
{
    char *block = memory_alloc((size_t)count + 16, sizeof(float));

    return (float *)(void *)(block + (64 - (uintptr_t)block % 64) % 64);
}

static float *random_floats(struct rng *rng, int64_t count)
{
    float *value = memory_alloc((size_t)count, sizeof *value);

    for (int64_t i = 0; i < count; i++)
        value[i] = (float)(2.0 * rng_unit(rng) - 1.0);
    return value;
}

static int64_t filter_floats(const struct conv_shape *shape)
{
    return shape->k * (shape->c / shape->groups) * shape->r * shape->s;
}

/* Everything the child allocates for SHAPE has to fit into the machine.  */
static bool fits(const struct conv_shape *shape, const struct conv_plan *plan, struct error *error)
{
    const int64_t parts[] = {shape->n * shape->c * shape->h * shape->w,
                             filter_floats(shape),
                             shape->k,
                             layout_floats(&plan->input),
                             layout_floats(&plan->output),
                             plan->packed_floats,
                             plan->workspace_bytes / (int64_t)sizeof(float)};
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double bytes = 0.0;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        bytes += (double)parts[i] * (double)sizeof(float);
    if (bytes > memory)
        return error_set(error, "the tensors need %.0f MiB, the machine has %.0f MiB",
                         bytes / 0x1p20, memory / 0x1p20);
    return true;
}

static void make_tensors(struct work *work)
{
    const struct conv_shape *shape = &work->plan.request.shape;
    const struct tensor_layout nchw = layout_input(shape, 1);
    const int64_t outputs = layout_floats(&work->plan.output);
    struct rng *rng = rng_new(1);

    work->input = random_floats(rng, shape->n * shape->c * shape->h * shape->w);
    work->filter = random_floats(rng, filter_floats(shape));
    work->bias = random_floats(rng, shape->k);
    rng_free(rng);
    work->plan_input = aligned_floats(layout_floats(&work->plan.input));
    layout_convert(&nchw, work->input, &work->plan.input, work->plan_input);
    work->packed = aligned_floats(work->plan.packed_floats);
    work->plan_output = aligned_floats(outputs);
    for (int64_t i = 0; i < outputs; i++)
        work->plan_output[i] = NAN;
}

/* One output; false with a reason when it is too far off.  */
static bool compare_one(const struct work *work, int64_t n, int64_t k, int64_t p, int64_t q,
                        struct conv_facts *facts)
{
    const struct conv_plan *plan = &work->plan;
    struct reference_point want = reference_output(&plan->request.shape, work->input, work->filter,
                                                   work->bias, plan->request.relu, n, k, p, q);
    double got = work->plan_output[layout_index(&plan->output, n, k, p, q)];
    double distance = fabs(got - want.value);

    facts->compared++;
    if (!(distance <= facts->max_error))
        facts->max_error = distance;
    if (distance <= plan->kernel->tolerance * want.bound)
        return true;
    snprintf(facts->reason, sizeof facts->reason,
             "wrong result: output %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
             " is %.9g, expected %.9g +- %.2g",
             n, k, p, q, got, want.value, plan->kernel->tolerance * want.bound);
    return false;
}

/* All outputs where that is quick; else the corners and random ones.  */
static bool compare(const struct work *work, struct conv_facts *facts)
{
    const struct conv_shape *shape = &work->plan.request.shape;
    const struct tensor_layout *out = &work->plan.output;
    const int64_t each = shape->c / shape->groups * shape->r * shape->s;
    const int64_t all = out->n * out->c * out->h * out->w;
    const int64_t looks = max64(64, compare_macs / each);
    struct rng *rng;

    if (looks >= all) {
        for (int64_t i = 0; i < all; i++)
            if (!compare_one(work, i / (out->c * out->h * out->w), i / (out->h * out->w) % out->c,
                             i / out->w % out->h, i % out->w, facts))
                return false;
        return true;
    }
    rng = rng_new(2);
    for (int64_t i = 0; i < looks; i++) {
        bool corner = i < 16;
        int64_t n = rng_range(rng, 0, out->n - 1), k = rng_range(rng, 0, out->c - 1);
        int64_t p = corner ? i / 2 % 2 * (out->h - 1) : rng_range(rng, 0, out->h - 1);
        int64_t q = corner ? i % 2 * (out->w - 1) : rng_range(rng, 0, out->w - 1);

        if (!compare_one(work, n, k, p, q, facts)) {
            rng_free(rng);
            return false;
        }
    }
    rng_free(rng);
    return true;
}

static bool prepare(struct work *work, const struct conv_shape *shape, struct conv_facts *facts)
{
    const struct conv_contestant *c = work->contestant;
    const struct conv_request request = {*shape, c->isa, c->threads, c->relu};
    struct error error = {""};
    bool good;

    if (c->kernel == NULL) {
        work->pool = pool_new(c->threads, &error);
        good = work->pool != NULL;
    } else {
        good = params_parse(&work->params, c->name, c->params, &c->kernel->params, 1, &error) &&
               conv_plan_make(&work->plan, c->kernel, &request, &work->params, &error) &&
               fits(shape, &work->plan, &error);
    }
    facts->supported = good;
    facts->right = good;
    snprintf(facts->reason, sizeof facts->reason, "%s", error.text);
    if (!good || c->kernel == NULL)
        return good;
    make_tensors(work);
    work->plan.kernel->pack(&work->plan, work->filter, work->bias, work->packed);
    work->plan.kernel->run(&work->plan, work->plan_input, work->packed, work->plan_output);
    facts->choice = work->plan.choice;
    facts->workspace_bytes = work->plan.workspace_bytes;
    facts->packed_bytes = work->plan.packed_floats * (int64_t)sizeof(float);
    facts->right = compare(work, facts);
    return facts->right;
}

static double time_batch(struct work *work, int64_t repeats)
{
    double start;

    if (work->contestant->kernel == NULL)
        return probe_flops(work->contestant->isa, work->pool, 1e-3);
    start = timer_now();
    for (int64_t i = 0; i < repeats; i++)
        work->plan.kernel->run(&work->plan, work->plan_input, work->packed, work->plan_output);
    return (timer_now() - start) / (double)repeats;
}

static void out_of_memory(void *context)
{
    (void)context;
    _exit(3);
}

static _Noreturn void child(const struct conv_contestant *contestant,
                            const struct conv_shape *shape, int cpu, int from_parent, int to_parent)
{
    struct work work = {.contestant = contestant};
    struct conv_facts facts = {.supported = false};
    int64_t repeats;
    double result;
    bool good;

#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    memory_set_hook(out_of_memory, NULL);
    if (cpu >= 0) {
        cpu_set_t set;

        CPU_ZERO(&set);
        CPU_SET((size_t)cpu, &set);
        (void)sched_setaffinity(0, sizeof set, &set);
    }
    alarm(PATIENCE_S);
    good = prepare(&work, shape, &facts);
    if (!write_all(to_parent, &facts, sizeof facts) || !good)
        _exit(0);
    while (read_all(from_parent, &repeats, sizeof repeats) && repeats > 0) {
        alarm(PATIENCE_S);
        result = time_batch(&work, repeats);
        if (!write_all(to_parent, &result, sizeof result))
            break;
    }
    _exit(0);
}

/* How a process that said nothing ended.  */
static void describe_end(struct conv_session *session, struct conv_facts *facts)
{
    int status = 0;

    waitpid(session->pid, &status, 0);
    session->pid = -1;
    facts->supported = false;
    facts->right = false;
    if (WIFSIGNALED(status))
        snprintf(facts->reason, sizeof facts->reason, "crashed: %s", strsignal(WTERMSIG(status)));
    else
        snprintf(facts->reason, sizeof facts->reason,
                 WEXITSTATUS(status) == 3 ? "out of memory" : "ended with status %d",
                 WEXITSTATUS(status));
}

struct conv_session *conv_session_start(const struct conv_contestant *contestant,
                                        const struct conv_shape *shape, int cpu,
                                        struct conv_facts *facts)
{
    struct conv_session *session = memory_zalloc(1, sizeof *session);
    int down[2], up[2];

    memset(facts, 0, sizeof *facts);
    fflush(NULL);
    if (pipe(down) != 0 || pipe(up) != 0 || (session->pid = fork()) < 0) {
        snprintf(facts->reason, sizeof facts->reason, "no process could be made");
        free(session);
        return NULL;
    }
    if (session->pid == 0) {
        close(down[1]);
        close(up[0]);
        child(contestant, shape, cpu, down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    session->to_child = down[1];
    session->from_child = up[0];
    if (!read_all(session->from_child, facts, sizeof *facts))
        describe_end(session, facts);
    if (facts->supported && facts->right)
        return session;
    conv_session_end(session);
    return NULL;
}

bool conv_session_time(struct conv_session *session, int64_t repeats, double *result)
{
    return write_all(session->to_child, &repeats, sizeof repeats) &&
           read_all(session->from_child, result, sizeof *result);
}

void conv_session_end(struct conv_session *session)
{
    const int64_t stop = 0; /* sessions started later hold this pipe open too */

    if (session == NULL)
        return;
    if (session->pid > 0)
        (void)write_all(session->to_child, &stop, sizeof stop);
    close(session->to_child);
    close(session->from_child);
    if (session->pid > 0)
        waitpid(session->pid, NULL, 0);
    free(session);
}
