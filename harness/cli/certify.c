/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include "lib/judge/certificate.h"
#include "planner/disjunctive/pairs_certify.h"

/* What the process leaves in memory that it shares.  */
struct verdict {
    _Atomic(bool) given; /* the rest is there */
    bool good, taken;
    struct error error;
};

struct order {
    const struct instance *instance;
    int64_t peak;
    FILE *proof;
    const struct run_limits *limits;
    const struct output *output;
    struct verdict *verdict;
};

/* --- the process --- */

/* Where the last certificate begins in what the solver's run has written.  */
static long last_certificate(FILE *proof)
{
    char line[sizeof CERTIFICATE_TITLE + 1];
    long at = 0, last = 0;

    rewind(proof);
    while (fgets(line, sizeof line, proof) != NULL) {
        if (strcmp(line, CERTIFICATE_TITLE "\n") == 0)
            last = at;
        at = ftell(proof);
    }
    return last;
}

/* Whether what the solver's run has written last is a certificate of the peak; it is OUTPUT's
 * then.  */
static bool take_proof(const struct order *order)
{
    struct certificate certificate;
    struct error error;
    char block[1 << 14];
    size_t length;
    long begin;

    if (order->proof == NULL)
        return false;
    begin = last_certificate(order->proof);
    if (fseek(order->proof, begin, SEEK_SET) != 0 ||
        !certificate_check(order->proof, "proof", order->instance, &certificate, &error) ||
        certificate.capacity + 1 < order->peak || fseek(order->proof, begin, SEEK_SET) != 0)
        return false;
    while ((length = fread(block, 1, sizeof block, order->proof)) > 0)
        fwrite(block, 1, length, order->output->file);
    return true;
}

static void write_certificate(void *context)
{
    const struct order *order = context;
    double deadline = order->limits->time_s > 0.0 ? timer_now() + order->limits->time_s : INFINITY;
    struct verdict *verdict = order->verdict;

    verdict->taken = take_proof(order);
    verdict->good = verdict->taken || pairs_certify(order->instance, order->peak, deadline,
                                                    order->output->file, &verdict->error);
    if (verdict->good && !file_flush(order->output->file))
        verdict->good = error_set(&verdict->error, "%s: %s", order->output->path, strerror(errno));
    atomic_store(&verdict->given, true);
}

/* --- who waits for it --- */

bool certify(const struct instance *instance, int64_t peak, FILE *proof,
             const struct run_limits *limits, const struct watch *watch,
             const struct output *output, bool *taken, struct error *error)
{
    struct order order = {instance, peak,   proof,
                          limits,   output, process_share(sizeof *order.verdict)};
    const struct child_task task = {
        .work = write_certificate, .context = &order, .limits = limits, .watch = watch};
    struct child_end end;
    bool good = false;

    if (order.verdict == NULL)
        return error_set(error, "no memory to share with a process: %s", strerror(errno));
    if (child_run(&task, &end, error)) {
        good = atomic_load(&order.verdict->given) && order.verdict->good;
        *taken = good && order.verdict->taken;
        if (!atomic_load(&order.verdict->given))
            child_outcome(&end, error->text, sizeof error->text);
        else if (!good)
            *error = order.verdict->error;
    }
    munmap(order.verdict, sizeof *order.verdict);
    return good;
}
