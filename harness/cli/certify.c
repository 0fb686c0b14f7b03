#include <config.h>

#include "harness/cli/certify.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/io/output.h"
#include "harness/io/process.h"
#include "harness/run/child.h"
#include "harness/run/run.h"
#include "lib/base/file.h"
#include "lib/base/timer.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "planner/pairs/pairs_refute.h"

/* Certificates are for small instances: about 50 MB.  */
#define MOST_CHOICES 2000000

/* What the process leaves in memory that it shares.  */
struct verdict {
    _Atomic(bool) given; /* the rest is there */
    bool good;
    struct error error;
};

struct order {
    const struct instance *instance;
    int64_t peak;
    const struct run_limits *limits;
    const struct output *output;
    struct verdict *verdict;
};

/* --- the process --- */

static void write_step(FILE *out, const struct refute_step *step)
{
    static const char *const word[] = {
        [REFUTE_BRANCH] = "branch", [REFUTE_BELOW] = "below",       [REFUTE_ABOVE] = "above",
        [REFUTE_PATH] = "path",     [REFUTE_OVERLOAD] = "overload",
    };

    fputs(word[step->kind], out);
    if (step->kind == REFUTE_OVERLOAD)
        fprintf(out, " %" PRId64 " %" PRId64 " %" PRId64, step->step, step->low, step->high);
    else if (step->kind != REFUTE_PATH)
        fprintf(out, " %zu %zu %" PRId64 " %" PRId64, step->a, step->b, step->low, step->high);
    fputc('\n', out);
}

bool certify_here(const struct instance *instance, int64_t peak, const struct refute_limits *limits,
                  FILE *out, struct error *error)
{
    size_t count;
    struct refute_step *step = pairs_refute(instance, peak, limits, &count, error);

    if (step == NULL)
        return false;
    fprintf(out, "%s\ninstance %016" PRIx64 "\ncapacity %" PRId64 "\n", CERTIFICATE_TITLE,
            instance_checksum(instance), peak - 1);
    for (size_t i = 0; i < count; i++)
        write_step(out, &step[i]);
    fputs("end\n", out);
    free(step);
    return true;
}

static void write_certificate(void *context)
{
    const struct order *order = context;
    const struct refute_limits limits = {
        .nodes = MOST_CHOICES,
        .deadline = order->limits->time_s > 0.0 ? timer_now() + order->limits->time_s : INFINITY,
    };
    struct verdict *verdict = order->verdict;

    verdict->good =
        certify_here(order->instance, order->peak, &limits, order->output->file, &verdict->error);
    if (verdict->good && !file_flush(order->output->file))
        verdict->good = error_set(&verdict->error, "%s: %s", order->output->path, strerror(errno));
    atomic_store(&verdict->given, true);
}

/* --- who waits for it --- */

bool certify(const struct instance *instance, int64_t peak, const struct run_limits *limits,
             const struct watch *watch, const struct output *output, struct error *error)
{
    struct order order = {instance, peak, limits, output, process_share(sizeof *order.verdict)};
    const struct child_task task = {
        .work = write_certificate, .context = &order, .limits = limits, .watch = watch};
    struct child_end end;
    bool good = false;

    if (order.verdict == NULL)
        return error_set(error, "no memory to share with a process: %s", strerror(errno));
    if (child_run(&task, &end, error)) {
        good = atomic_load(&order.verdict->given) && order.verdict->good;
        if (!atomic_load(&order.verdict->given))
            child_outcome(&end, error->text, sizeof error->text);
        else if (!good)
            *error = order.verdict->error;
    }
    munmap(order.verdict, sizeof *order.verdict);
    return good;
}
