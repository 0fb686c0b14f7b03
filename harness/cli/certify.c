#include <config.h>

#include "harness/cli/certify.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/io/output.h"
#include "harness/io/process.h"
#include "harness/run/child.h"
#include "harness/run/run.h"
#include "lib/base/file.h"
#include "lib/base/timer.h"
#include "planner/pairs/pairs_certify.h"

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

static void write_certificate(void *context)
{
    const struct order *order = context;
    double deadline = order->limits->time_s > 0.0 ? timer_now() + order->limits->time_s : INFINITY;
    struct verdict *verdict = order->verdict;

    verdict->good =
        pairs_certify(order->instance, order->peak, deadline, order->output->file, &verdict->error);
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
