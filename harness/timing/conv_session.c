/* The parent's side of a session.  */
#include <config.h>

#include "harness/timing/conv_session.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/io/transfer.h"
#include "harness/run/watch.h"
#include "harness/timing/conv_child.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

struct conv_session {
    struct conv_setup setup;
    pid_t pid; /* 0: no process */
    int socket;
    struct conv_shape shape; /* that the slots are prepared for */
    bool ready[CONV_SLOTS];
};

bool conv_fits(const struct conv_shape *shape, double extra, struct error *error)
{
    const double input = (double)shape->n * (double)shape->c * (double)shape->h * (double)shape->w;
    const double filter =
        (double)shape->k * (double)(shape->c / shape->groups * shape->r * shape->s);
    const double output = (double)shape->n * (double)shape->k * (double)conv_shape_out_h(shape) *
                          (double)conv_shape_out_w(shape);
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double bytes = (input + filter + output + extra) * (double)sizeof(float);

    if (bytes > memory)
        return error_set(error, "the tensors need %.0f MiB, the machine has %.0f MiB",
                         bytes / 0x1p20, memory / 0x1p20);
    return true;
}

struct conv_session *conv_session_new(const struct conv_setup *setup)
{
    struct conv_session *session = memory_zalloc(1, sizeof *session);

    session->setup = *setup;
    session->socket = -1;
    return session;
}

static bool is_unwanted(const struct conv_session *session)
{
    const struct watch *watch = session->setup.watch;

    return watch != NULL && !watch->look(watch->context);
}

/* Why there is no answer.  */
enum silence { SILENCE_GONE, SILENCE_HUNG, SILENCE_UNWANTED };

/* False with *WHY when not all came.  */
static bool receive_all(const struct conv_session *session, void *data, size_t size,
                        enum silence *why)
{
    const struct watch *watch = session->setup.watch;
    const double end = timer_now() + session->setup.patience_s;
    const double period_s = watch != NULL ? watch->period_s : INFINITY;

    for (char *at = data; size > 0;) {
        struct pollfd ready[2] = {{session->socket, POLLIN, 0},
                                  {watch != NULL ? watch->fd : -1, POLLIN, 0}};
        const double left = end - timer_now();
        ssize_t got;

        *why = is_unwanted(session) ? SILENCE_UNWANTED : SILENCE_HUNG;
        if (*why == SILENCE_UNWANTED || left <= 0.0)
            return false;
        if (poll(ready, 2, (int)fmin(ceil(fmin(left, period_s) * 1e3), 1e9)) <= 0 ||
            ready[0].revents == 0)
            continue;
        *why = SILENCE_GONE;
        got = read(session->socket, at, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            at += got;
            size -= (size_t)got;
        }
    }
    return true;
}

static bool start(struct conv_session *session)
{
    const pid_t parent = getpid();
    int ends[2];

    if (session->pid > 0)
        return true;
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    session->pid = fork();
    if (session->pid == 0) {
        close(ends[0]);
        conv_child(&session->setup, ends[1], parent);
    }
    close(ends[1]);
    session->socket = ends[0];
    if (session->pid > 0)
        return true;
    close(session->socket);
    session->pid = 0;
    return false;
}

static bool describe_stop(struct conv_facts *facts)
{
    facts->end = CONV_END_STOPPED;
    snprintf(facts->reason, sizeof facts->reason, "interrupted");
    return false;
}

/* The process is to have ended or is ended now; says how in FACTS.  */
static bool describe_end(struct conv_session *session, enum silence why, struct conv_facts *facts)
{
    int status = 0;

    if (why != SILENCE_GONE)
        kill(session->pid, SIGKILL);
    close(session->socket);
    while (waitpid(session->pid, &status, 0) < 0 && errno == EINTR) {
    }
    session->pid = 0;
    session->socket = -1;
    memset(session->ready, 0, sizeof session->ready);
    /* What ended it may have been meant for all of us.  */
    if (why == SILENCE_UNWANTED || is_unwanted(session))
        return describe_stop(facts);
    facts->end = CONV_END_CRASHED;
    if (why == SILENCE_HUNG) {
        facts->end = CONV_END_HUNG;
        snprintf(facts->reason, sizeof facts->reason, "hung: no answer in %g s",
                 session->setup.patience_s);
    } else if (WIFSIGNALED(status)) {
        snprintf(facts->reason, sizeof facts->reason, "crashed: %s", strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == CONV_EXIT_MEMORY) {
        facts->end = CONV_END_MEMORY;
        snprintf(facts->reason, sizeof facts->reason, "out of memory");
    } else {
        snprintf(facts->reason, sizeof facts->reason, "crashed: it ended with status %d",
                 WEXITSTATUS(status));
    }
    return false;
}

bool conv_session_prepare(struct conv_session *session, int slot, const struct conv_shape *shape,
                          const char *params, bool relu, struct conv_facts *facts)
{
    enum silence why = SILENCE_GONE;
    struct conv_order order;

    memset(facts, 0, sizeof *facts);
    if (is_unwanted(session))
        return describe_stop(facts);
    memset(&order, 0, sizeof order); /* padding too: it is written */
    order.kind = CONV_ORDER_PREPARE;
    order.slot = slot;
    order.shape = *shape;
    order.relu = relu;
    order.params = strlen(params) + 1;
    if (memcmp(&session->shape, shape, sizeof *shape) != 0)
        memset(session->ready, 0, sizeof session->ready);
    session->shape = *shape;
    session->ready[slot] = false;
    if (!start(session)) {
        facts->end = CONV_END_CRASHED;
        snprintf(facts->reason, sizeof facts->reason, "no process could be made");
        return false;
    }
    if (!transfer_send(session->socket, &order, sizeof order) ||
        !transfer_send(session->socket, params, order.params) ||
        !receive_all(session, facts, sizeof *facts, &why))
        return describe_end(session, why, facts);
    session->ready[slot] = facts->end == CONV_END_GOOD;
    return session->ready[slot];
}

bool conv_session_time(struct conv_session *session, int slot, int64_t repeats, double *result,
                       struct conv_facts *facts)
{
    enum silence why = SILENCE_GONE;
    struct conv_order order;

    if (is_unwanted(session))
        return describe_stop(facts);
    if (!session->ready[slot]) {
        facts->end = CONV_END_GONE;
        snprintf(facts->reason, sizeof facts->reason, "its process ended with another plan");
        return false;
    }
    memset(&order, 0, sizeof order);
    order.kind = CONV_ORDER_TIME;
    order.slot = slot;
    order.repeats = repeats;
    return (transfer_send(session->socket, &order, sizeof order) &&
            receive_all(session, result, sizeof *result, &why)) ||
           describe_end(session, why, facts);
}

void conv_session_free(struct conv_session *session)
{
    struct conv_order order;

    if (session == NULL)
        return;
    if (session->pid > 0) {
        memset(&order, 0, sizeof order);
        order.kind = CONV_ORDER_STOP;
        (void)transfer_send(session->socket, &order, sizeof order);
        close(session->socket);
        while (waitpid(session->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    free(session);
}
