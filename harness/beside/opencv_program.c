/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arenabench-opencv: runs one ONNX file with OpenCV, for a run of ours to stand beside.  A program
 * of its own, so that neither the library's code nor its memory nor its crashes are ours.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/beside/beside_protocol.h"
#include "harness/beside/opencv.h"
#include "harness/io/process.h"
#include "harness/io/resident.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

struct work {
    char *model;
    size_t inputs, outputs, input_capacity, output_capacity;
    struct given {
        struct beside_input *input;
        float *elements;
    } * given;
    const char **output;
    struct beside_order order;
};

/* --- the order --- */

/* Takes what one message brings; false: this is no order of ours.  */
static bool take(struct work *work, struct message *message, bool *complete)
{
    switch (message->kind) {
    case BESIDE_MODEL:
        work->model = message->data;
        return true;
    case BESIDE_INPUT:
        work->given =
            memory_grow(work->given, &work->input_capacity, work->inputs + 1, sizeof *work->given);
        work->given[work->inputs++] = (struct given){message->data, NULL};
        return true;
    case BESIDE_ELEMENTS:
        if (work->inputs == 0)
            return false;
        work->given[work->inputs - 1].elements = message->data;
        return true;
    case BESIDE_OUTPUT:
        work->output = memory_grow(work->output, &work->output_capacity, work->outputs + 1,
                                   sizeof *work->output);
        work->output[work->outputs++] = message->data;
        return true;
    case BESIDE_ORDER:
        if (message->size != sizeof work->order)
            return false;
        memcpy(&work->order, message->data, sizeof work->order);
        free(message->data);
        *complete = true;
        return work->model != NULL;
    default:
        return false;
    }
}

static bool receive(struct work *work)
{
    struct message message;
    bool complete = false;

    while (!complete) {
        if (message_receive(STDIN_FILENO, &message, INFINITY, NULL) != MESSAGE_HERE)
            return false;
        if (!take(work, &message, &complete))
            return false;
    }
    return true;
}

/* --- the run --- */

static bool give(struct opencv_net *net, const struct work *work, struct error *error)
{
    for (size_t i = 0; i < work->inputs; i++) {
        const struct beside_input *input = work->given[i].input;

        if (!opencv_give(net, input->name, input->rank, input->dim, work->given[i].elements, error))
            return error_prefix(error, "input '%s'", input->name);
    }
    return true;
}

/* One round that is not timed, in which OpenCV makes its own plan, and the others.  */
static bool run_rounds(struct opencv_net *net, const struct work *work, double *seconds,
                       struct error *error)
{
    for (size_t r = 0; r <= work->order.rounds; r++) {
        double start;

        if (!give(net, work, error))
            return false;
        start = timer_now();
        if (!opencv_run(net, work->output, work->outputs, error))
            return false;
        if (r > 0)
            seconds[r - 1] = timer_now() - start;
    }
    return true;
}

static bool send_outputs(const struct opencv_net *net, const struct work *work)
{
    for (size_t o = 0; o < work->outputs; o++) {
        size_t elements;
        const float *output = opencv_output(net, o, &elements);

        if (!message_send(STDIN_FILENO, BESIDE_ELEMENTS, output,
                          output == NULL ? 0 : elements * sizeof *output))
            return false;
    }
    return true;
}

/* Answers; false when nobody listens any more.  */
static bool answer(const struct work *work)
{
    struct beside_facts facts;
    double *seconds = memory_zalloc(work->order.rounds + 1, sizeof *seconds);
    struct opencv_net *net;
    struct error error;
    const char *library = opencv_library();
    bool good = message_send(STDIN_FILENO, BESIDE_LIBRARY, library, strlen(library) + 1);

    net = opencv_open(work->model, work->order.threads, &error);
    resident_restart();
    if (net == NULL || !run_rounds(net, work, seconds, &error)) {
        good =
            good && message_send(STDIN_FILENO, BESIDE_REFUSAL, error.text, strlen(error.text) + 1);
    } else {
        facts.resident_bytes = resident_most();
        good = good && message_send(STDIN_FILENO, BESIDE_FACTS, &facts, sizeof facts) &&
               message_send(STDIN_FILENO, BESIDE_SECONDS, seconds,
                            work->order.rounds * sizeof *seconds) &&
               send_outputs(net, work);
    }
    if (net != NULL)
        opencv_close(net);
    free(seconds);
    return good;
}

static void clear(struct work *work)
{
    for (size_t i = 0; i < work->inputs; i++) {
        free(work->given[i].input);
        free(work->given[i].elements);
    }
    for (size_t o = 0; o < work->outputs; o++)
        free((void *)work->output[o]);
    free(work->given);
    free(work->output);
    free(work->model);
}

int main(void)
{
    struct work work = {NULL};
    bool good;

    if (!receive(&work)) {
        fputs("arenabench-opencv: this program is started by `arenabench run --beside opencv`\n",
              stderr);
        return STATUS_USAGE;
    }
    good = answer(&work);
    clear(&work);
    return good ? STATUS_DONE : STATUS_FAILED;
}
