/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parent's side of a session.  */
#include <config.h>

#include "harness/timing/conv_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "harness/io/process.h"
#include "harness/timing/conv_child.h"
#include "lib/base/memory.h"

struct conv_session {
    struct conv_setup setup;
    struct process process;
    struct conv_shape shape; /* that the slots are prepared for */
    bool ready[CONV_SLOTS];
};

struct conv_session *conv_session_new(const struct conv_setup *setup)
{
    struct conv_session *session = memory_zalloc(1, sizeof *session);

    session->setup = *setup;
    return session;
}

/* The longest that threads which are done are waited for.  On a processor of AMD's Zen 3 kind
 * OpenMP's look for work for 7 to 14 ms, XNNPACK's for 27 to 42, OpenBLAS's for 110.  */
static const double settle_s = 0.5;

/* Gives the process an order and takes its answer.  */
static enum message_news ask(const struct conv_session *session, enum conv_message kind,
                             const struct conv_order *order, size_t order_size, void *answer,
                             size_t size)
{
    const struct conv_setup *setup = &session->setup;
    struct message message;
    enum message_news news;

    if (!message_send(session->process.fd, (int)kind, order, order_size))
        return MESSAGE_GONE;
    news = message_receive(session->process.fd, &message, setup->patience_s, setup->watch);
    if (news != MESSAGE_HERE)
        return news;
    if (message.kind == CONV_ANSWER && message.size == size)
        memcpy(answer, message.data, size);
    else
        news = MESSAGE_GONE;
    free(message.data);
    /* Whoever has the next turn is to have the processors for itself.  */
    if (setup->threads > 1)
        (void)process_settle(&session->process, settle_s);
    return news;
}

static bool describe_stop(struct conv_facts *facts)
{
    facts->end = CONV_END_STOPPED;
    snprintf(facts->reason, sizeof facts->reason, "interrupted");
    return false;
}

/* The process is to have ended or is ended now; says how in FACTS.  */
static bool describe_end(struct conv_session *session, enum message_news why,
                         struct conv_facts *facts)
{
    int status = process_end(&session->process);

    memset(session->ready, 0, sizeof session->ready);
    /* What ended it may have been meant for all of us.  */
    if (why == MESSAGE_UNWANTED || !watch_goes_on(session->setup.watch))
        return describe_stop(facts);
    facts->end = CONV_END_CRASHED;
    if (why == MESSAGE_LATE) {
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

/* Whether there is a process now; else FACTS has a reason.  */
static bool start(struct conv_session *session, struct conv_facts *facts)
{
    struct error error = {""};

    if (session->process.pid > 0 ||
        process_start(&session->process, PROCESS_TALKS, conv_child, &session->setup, &error))
        return true;
    facts->end = CONV_END_CRASHED;
    snprintf(facts->reason, sizeof facts->reason, "%s", error.text);
    return false;
}

bool conv_session_prepare(struct conv_session *session, int slot, const struct conv_shape *shape,
                          const char *params, bool relu, struct conv_facts *facts)
{
    const size_t size = sizeof(struct conv_order) + strlen(params) + 1;
    struct conv_order *order;
    enum message_news news;

    memset(facts, 0, sizeof *facts);
    if (!watch_goes_on(session->setup.watch))
        return describe_stop(facts);
    if (memcmp(&session->shape, shape, sizeof *shape) != 0)
        memset(session->ready, 0, sizeof session->ready);
    session->shape = *shape;
    session->ready[slot] = false;
    if (!start(session, facts))
        return false;
    order = memory_zalloc(1, size); /* padding too: it is written */
    order->slot = slot;
    order->shape = *shape;
    order->relu = relu;
    memcpy(order->params, params, strlen(params));
    news = ask(session, CONV_PREPARE, order, size, facts, sizeof *facts);
    free(order);
    if (news != MESSAGE_HERE)
        return describe_end(session, news, facts);
    session->ready[slot] = facts->end == CONV_END_GOOD;
    return session->ready[slot];
}

bool conv_session_time(struct conv_session *session, int slot, int64_t repeats, double *result,
                       struct conv_facts *facts)
{
    enum message_news news;
    struct conv_order order;

    if (!watch_goes_on(session->setup.watch))
        return describe_stop(facts);
    if (!session->ready[slot]) {
        facts->end = CONV_END_GONE;
        snprintf(facts->reason, sizeof facts->reason, "its process ended with another plan");
        return false;
    }
    memset(&order, 0, sizeof order);
    order.slot = slot;
    order.repeats = repeats;
    news = ask(session, CONV_TIME, &order, sizeof order, result, sizeof *result);
    return news == MESSAGE_HERE || describe_end(session, news, facts);
}

void conv_session_free(struct conv_session *session)
{
    if (session == NULL)
        return;
    if (session->process.pid > 0)
        process_wait(&session->process, NULL);
    free(session);
}
