/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/worker.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/io/placement.h"
#include "harness/io/watch.h"
#include "harness/run/process_stat.h"
#include "harness/sweep/sweep.h"
#include "harness/sweep/sweep_execution.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* A request is answered by the bounds, if they are asked for, a result, the offsets of its plan, if
 * there is one, its events and the rounds of its execution.  */
enum { REQUEST, BOUNDS, RESULT, OFFSETS, EVENTS, ROUNDS };

/* Seconds between two looks at one that is in the middle of an answer.  */
#define LOOK_S 0.2

struct request {
    size_t task;
    bool want_bounds;
};

/* Pointers in it say nothing.  */
struct answer {
    struct worker_result result;
    bool has_plan;
    enum layout layout;
    int64_t peak;
    size_t n, objects;
};

/* --- the worker --- */

/* A worker is of one experiment, so its instances are all to be run, or none is.  */
struct cache {
    size_t workload; /* SIZE_MAX: none */
    struct instance *instance;
};

/* To be RUN, or as it is planned: what is run may have more operators, which make what a file says
 * of constants only.  */
static struct instance *make_instance(const struct sweep *sweep, size_t workload, bool run,
                                      struct error *error)
{
    struct workload quiet = *sweep->workload[workload].workload; /* planning gave its notices */

    quiet.quiet = true;
    return run ? sweep_execution_instance(&quiet, error) : workload_instance(&quiet, error);
}

static const struct instance *cached_instance(struct cache *cache, const struct sweep *sweep,
                                              size_t workload, bool run, struct error *error)
{
    if (cache->workload == workload && cache->instance != NULL)
        return cache->instance;
    instance_free(cache->instance);
    cache->workload = workload;
    cache->instance = make_instance(sweep, workload, run, error);
    return cache->instance;
}

/* The bounds of the task's workload, whose instance is INSTANCE, or NULL for WHY; of one that is
 * run they are those of the planned one.  */
static bool answer_bounds(int socket, const struct sweep *sweep, const struct sweep_task *task,
                          const struct instance *instance, const struct error *why)
{
    struct instance *planned = NULL;
    struct worker_bounds bounds;

    memset(&bounds, 0, sizeof bounds); /* padding too: it is written */
    if (sweep_task_executes(task))
        instance = planned = make_instance(sweep, task->workload, false, &bounds.error);
    else if (instance == NULL)
        bounds.error = *why;
    if (instance != NULL)
        bounds.known = bounds_compute(instance, &bounds.bounds, &bounds.error);
    instance_free(planned);
    return message_send(socket, BOUNDS, &bounds, sizeof bounds);
}

static void execute_task(const struct instance *instance, const struct sweep_task *task,
                         struct worker_result *result)
{
    if (!sweep_execution_possible(task, &result->run))
        return;
    run_solver(instance, task->contestant, task->seed, &task->limits, &result->run);
    sweep_execute(task, instance, &result->run, &result->execution);
}

static void run_task(const struct sweep_task *task, const struct instance *instance,
                     const struct error *why, struct worker_result *result)
{
    const bool runs = sweep_task_executes(task);
    double start;

    *result = (struct worker_result){.fit = fit_result_missing};
    if (instance == NULL) {
        result->run.outcome = runs ? OUTCOME_SKIPPED : OUTCOME_CRASHED;
        snprintf(result->run.reason, sizeof result->run.reason, "%.250s", why->text);
        return;
    }
    start = timer_now();
    if (runs)
        execute_task(instance, task, result);
    else if (sweep_task_fits(task))
        sweep_fit_run(task, instance, &result->run, &result->fit);
    else
        run_solver(instance, task->contestant, task->seed, &task->limits, &result->run);
    result->harness_s =
        timer_now() - start - result->run.time_s - result->run.verify_s - result->run.replay_s;
}

static bool answer(int socket, const struct worker_result *result)
{
    const struct plan *plan = result->run.plan;
    struct answer head;

    memset(&head, 0, sizeof head); /* padding too: it is written */
    head.result = *result;
    if (plan != NULL) {
        head.has_plan = true;
        head.layout = plan->layout;
        head.peak = plan->peak;
        head.n = plan->n;
        head.objects = plan->objects;
    }
    return message_send(socket, RESULT, &head, sizeof head) &&
           (plan == NULL ||
            message_send(socket, OFFSETS, plan->offset, plan->n * sizeof *plan->offset)) &&
           message_send(socket, EVENTS, result->run.event,
                        result->run.n_events * sizeof *result->run.event) &&
           (result->execution.rounds == 0 ||
            message_send(socket, ROUNDS, result->execution.round,
                         result->execution.rounds * sizeof *result->execution.round));
}

static bool serve(struct cache *cache, const struct sweep *sweep, const struct request *request,
                  int socket)
{
    struct sweep_task task = sweep->task[request->task];
    struct error why = {""};
    const struct instance *instance =
        cached_instance(cache, sweep, task.workload, sweep_task_executes(&task), &why);
    struct worker_result result;
    bool answered;

    if (request->want_bounds && !answer_bounds(socket, sweep, &task, instance, &why))
        return false;
    task.limits.native = workload_is_native(sweep->workload[task.workload].workload);
    run_task(&task, instance, &why, &result);
    answered = answer(socket, &result);
    worker_result_clear(&result);
    return answered;
}

struct employment {
    const struct sweep *sweep;
    size_t number, workers;
};

static void work(void *context, int socket)
{
    const struct employment *employment = context;
    const struct sweep *sweep = employment->sweep;
    struct cache cache = {.workload = SIZE_MAX};
    struct request *request;
    bool answered = true;

    /* A process group of its own: an interrupt at the terminal is for the
     * sweep, which ends its workers itself.  */
    setpgid(0, 0);
    if (employment->workers > 1)
        (void)placement_bind_share(employment->number, employment->workers);
    while (answered && (request = message_expect(socket, REQUEST, sizeof *request)) != NULL) {
        answered = serve(&cache, sweep, request, socket);
        free(request);
    }
    instance_free(cache.instance);
}

/* --- the sweep's side --- */

bool worker_start(struct worker *worker, struct sweep *sweep, struct error *error)
{
    struct employment employment = {sweep, worker->number, worker->workers};

    *worker = (struct worker){.number = worker->number, .workers = worker->workers};
    return process_start(&worker->process, PROCESS_TALKS, work, &employment, error);
}

void worker_send(struct worker *worker, const struct sweep *sweep, size_t task, bool want_bounds)
{
    const double limit_s = sweep->task[task].limits.time_s;
    struct request request;

    worker->end = limit_s > 0.0 ? timer_now() + limit_s : INFINITY;
    memset(&request, 0, sizeof request); /* padding too: it is written */
    request.task = task;
    request.want_bounds = want_bounds;
    worker->busy = true;
    worker->task = task;
    message_send(worker->process.fd, REQUEST, &request, sizeof request);
}

void worker_look(struct worker *worker)
{
    if (timer_now() < worker->end || !process_stopped(worker->process.pid))
        return;
    worker->frozen = true;
    kill(worker->process.pid, SIGKILL);
}

/* It may be stopped in the middle of a message.  */
static bool look(void *context)
{
    worker_look(context);
    return true;
}

static bool receive(struct worker *worker, struct message *message)
{
    const struct watch watch = {look, worker, LOOK_S, -1};

    return message_receive(worker->process.fd, message, INFINITY, &watch) == MESSAGE_HERE;
}

/* The data of the next message, which is to be of that kind and size, or NULL.  */
static void *expect(struct worker *worker, int kind, size_t size)
{
    struct message message;

    if (!receive(worker, &message))
        return NULL;
    if (message.kind == kind && message.size == size)
        return message.data;
    free(message.data);
    return NULL;
}

/* HEAD, and what follows it.  */
static bool read_result(struct worker *worker, const struct answer *head,
                        struct worker_result *result)
{
    struct plan *plan = NULL;

    *result = head->result;
    result->run.event = NULL;
    result->execution.round = NULL;
    if (head->has_plan) {
        plan = memory_zalloc(1, sizeof *plan);
        plan->n = head->n;
        plan->layout = head->layout;
        plan->objects = head->objects;
        plan->peak = head->peak;
        plan->offset = expect(worker, OFFSETS, plan->n * sizeof *plan->offset);
    }
    result->run.plan = plan;
    if (plan == NULL || plan->offset != NULL)
        result->run.event =
            expect(worker, EVENTS, result->run.n_events * sizeof *result->run.event);
    if (result->run.event != NULL && result->execution.rounds > 0)
        result->execution.round =
            expect(worker, ROUNDS, result->execution.rounds * sizeof *result->execution.round);
    return result->run.event != NULL &&
           (result->execution.rounds == 0 || result->execution.round != NULL);
}

static enum worker_news read_answer(struct worker *worker, struct worker_bounds *bounds,
                                    struct worker_result *result)
{
    enum worker_news news = WORKER_DEAD;
    struct message message;

    if (!receive(worker, &message))
        return WORKER_DEAD;
    if (message.kind == BOUNDS && message.size == sizeof *bounds) {
        memcpy(bounds, message.data, sizeof *bounds);
        news = WORKER_BOUNDS;
    } else if (message.kind == RESULT && message.size == sizeof(struct answer) &&
               read_result(worker, message.data, result)) {
        news = WORKER_RESULT;
    }
    free(message.data);
    return news;
}

void worker_result_clear(struct worker_result *result)
{
    run_result_clear(&result->run);
    execution_result_clear(&result->execution);
}

enum worker_news worker_receive(struct worker *worker, struct worker_bounds *bounds,
                                struct worker_result *result, struct error *error)
{
    enum worker_news news;
    int status;

    *result = (struct worker_result){0};
    news = read_answer(worker, bounds, result);
    worker->busy = news == WORKER_BOUNDS;
    if (news != WORKER_DEAD)
        return news;
    worker_result_clear(result);
    status = process_end(&worker->process);
    if (worker->frozen)
        error_set(error, "the process that ran the task was stopped, and ended at the time limit");
    else if (WIFSIGNALED(status))
        error_set(error, "the process that ran the task was killed by signal %d (%s)",
                  WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        error_set(error, "the process that ran the task ended with status %d", WEXITSTATUS(status));
    return WORKER_DEAD;
}

void worker_stop(struct worker *worker)
{
    if (worker->process.pid > 0)
        process_end(&worker->process);
}
