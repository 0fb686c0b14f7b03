#include <config.h>

#include "harness/sweep/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/io/transfer.h"
#include "harness/run/parent.h"
#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Both sides are the same program, so structs travel as they are.  */
struct request {
    size_t task;
    bool want_bounds;
};

/* What stands before the offsets and the events; pointers in it say nothing.  */
struct answer {
    struct worker_result result;
    bool has_plan;
    enum layout layout;
    int64_t peak;
    size_t n, objects;
};

/* --- the worker --- */

struct cache {
    size_t workload; /* SIZE_MAX: none */
    struct instance *instance;
};

static const struct instance *cached_instance(struct cache *cache, const struct sweep *sweep,
                                              size_t workload, struct error *error)
{
    if (cache->workload == workload && cache->instance != NULL)
        return cache->instance;
    instance_free(cache->instance);
    cache->workload = workload;
    cache->instance = workload_instance(sweep->workload[workload].workload, error);
    return cache->instance;
}

static void run_task(struct cache *cache, const struct sweep *sweep, const struct request *request,
                     struct worker_result *result)
{
    const struct sweep_task *task = &sweep->task[request->task];
    struct error error = {""};
    const struct instance *instance = cached_instance(cache, sweep, task->workload, &error);
    double start;

    *result = (struct worker_result){0};
    if (instance == NULL) {
        result->run.outcome = OUTCOME_CRASHED;
        snprintf(result->run.reason, sizeof result->run.reason, "%.250s", error.text);
        return;
    }
    if (request->want_bounds) {
        result->has_bounds = bounds_compute(instance, &result->bounds, &result->bounds_error);
    }
    start = timer_now();
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
    return transfer_send(socket, &head, sizeof head) &&
           (plan == NULL || transfer_send(socket, plan->offset, plan->n * sizeof *plan->offset)) &&
           transfer_send(socket, result->run.event,
                         result->run.n_events * sizeof *result->run.event);
}

static _Noreturn void worker_main(int socket, const struct sweep *sweep, pid_t parent)
{
    struct cache cache = {.workload = SIZE_MAX};
    struct request request;

    /* A process group of its own: an interrupt at the terminal is for the
     * sweep, which ends its workers itself.  */
    setpgid(0, 0);
    parent_follow(parent, SIGKILL);
    while (transfer_receive(socket, &request, sizeof request)) {
        struct worker_result result;

        run_task(&cache, sweep, &request, &result);
        if (!answer(socket, &result))
            break;
        run_result_clear(&result.run);
    }
    instance_free(cache.instance);
    _exit(EXIT_SUCCESS);
}

/* --- the sweep's side --- */

bool worker_start(struct worker *worker, const struct sweep *sweep, struct error *error)
{
    pid_t parent = getpid();
    int pair[2];

    *worker = (struct worker){.socket = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return error_set(error, "can't talk to another process: %s", strerror(errno));
    fflush(stdout);
    fflush(stderr);
    worker->pid = fork();
    if (worker->pid == 0) {
        close(pair[0]);
        worker_main(pair[1], sweep, parent);
    }
    close(pair[1]);
    worker->socket = pair[0];
    if (worker->pid > 0)
        return true;
    error_set(error, "can't start a process: %s", strerror(errno));
    close(worker->socket);
    return false;
}

void worker_send(struct worker *worker, size_t task, bool want_bounds)
{
    struct request request;

    memset(&request, 0, sizeof request); /* padding too: it is written */
    request.task = task;
    request.want_bounds = want_bounds;
    worker->busy = true;
    worker->task = task;
    transfer_send(worker->socket, &request, sizeof request);
}

static bool read_answer(struct worker *worker, struct worker_result *result)
{
    struct answer head;
    struct plan *plan = NULL;
    size_t events;

    if (!transfer_receive(worker->socket, &head, sizeof head))
        return false;
    *result = head.result;
    events = result->run.n_events;
    result->run.plan = NULL;
    result->run.event = memory_alloc(events, sizeof *result->run.event);
    if (head.has_plan) {
        plan = memory_zalloc(1, sizeof *plan);
        plan->n = head.n;
        plan->offset = memory_alloc(head.n, sizeof *plan->offset);
        plan->layout = head.layout;
        plan->objects = head.objects;
        plan->peak = head.peak;
    }
    result->run.plan = plan;
    return (plan == NULL ||
            transfer_receive(worker->socket, plan->offset, plan->n * sizeof *plan->offset)) &&
           transfer_receive(worker->socket, result->run.event, events * sizeof *result->run.event);
}

/* Waits for a worker that has closed its socket, or was killed.  */
static void reap(struct worker *worker, struct error *error)
{
    int status = 0;

    kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(worker->socket);
    worker->socket = -1;
    if (error == NULL)
        return;
    if (WIFSIGNALED(status))
        error_set(error, "the process that ran the task was killed by signal %d (%s)",
                  WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        error_set(error, "the process that ran the task ended with status %d", WEXITSTATUS(status));
}

bool worker_receive(struct worker *worker, struct worker_result *result, struct error *error)
{
    *result = (struct worker_result){0};
    if (read_answer(worker, result)) {
        worker->busy = false;
        return true;
    }
    run_result_clear(&result->run);
    reap(worker, error);
    return false;
}

void worker_stop(struct worker *worker)
{
    if (worker->socket >= 0)
        reap(worker, NULL);
}
