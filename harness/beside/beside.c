/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/beside/beside.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/beside/beside_protocol.h"
#include "harness/io/process.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/base/source_tree.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/inputs.h"

/* --- which there are --- */

static const struct library {
    const char *name, *program, *absent;
} libraries[] = {{"opencv", "arenabench-opencv", OPENCV_ABSENT}};

enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

static const struct library *find_library(const char *name, struct error *error)
{
    const char *names[LIBRARIES];

    for (size_t i = 0; i < LIBRARIES; i++) {
        names[i] = libraries[i].name;
        if (strcmp(name, names[i]) != 0)
            continue;
        if (libraries[i].absent == NULL)
            return &libraries[i];
        error_set(error, "%s: %s", name, libraries[i].absent);
        return NULL;
    }
    error_unknown(error, "library", name, names, LIBRARIES, ": opencv is one");
    return NULL;
}

bool beside_known(const char *library, struct error *error)
{
    return find_library(library, error) != NULL;
}

/* --- its process --- */

struct start {
    char *program;
    int threads;
};

/* Becomes the program, which talks over its standard input; what its library prints is no table of
 * ours.  */
static void become(void *context, int socket)
{
    const struct start *start = context;
    char threads[16];

    snprintf(threads, sizeof threads, "%d", start->threads);
    /* What the library's own libraries would start.  */
    setenv("OMP_NUM_THREADS", threads, 1);
    setenv("OPENBLAS_NUM_THREADS", threads, 1);
    if (dup2(socket, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        execl(start->program, start->program, (char *)NULL);
    people_print(stderr, "arenabench: %s can't be started\n", start->program);
    _exit(127);
}

static bool begin(struct process *process, const struct library *library, int threads,
                  struct error *error)
{
    struct start start = {built_program(library->program), threads};
    bool good;

    if (start.program == NULL)
        start.program = memory_printf("%s/%s", ARENABENCH_LIBEXECDIR, library->program);
    good = access(start.program, X_OK) == 0 ||
           error_set(error, "%s: there is no such program", start.program);
    good = good && process_start(process, PROCESS_TALKS, become, &start, error);
    free(start.program);
    return good;
}

/* Ends it after too little was heard of it, and says why.  */
static bool broken(struct process *process, struct error *error)
{
    int status = process_wait(process, NULL);

    if (status >= 0 && WIFSIGNALED(status))
        return error_set(error, "its process was ended by signal %d", WTERMSIG(status));
    return error_set(error, "its process ended with status %d before it had answered",
                     status >= 0 ? WEXITSTATUS(status) : status);
}

/* --- what it is told --- */

static bool fits(const struct value *value, struct error *error)
{
    if (value->dtype != DTYPE_F32)
        return error_set(error, "'%s' is %s: OpenCV takes and gives f32 only", value->name,
                         dtype_name(value->dtype));
    for (int d = 0; d < value->rank; d++)
        if (value->dim[d] > INT_MAX)
            return error_set(error, "'%s' has a dimension of %" PRId64, value->name, value->dim[d]);
    return true;
}

/* Whether all that goes in and comes out is of a kind that can be compared.  */
static bool comparable(const struct network *network, const struct run_inputs *inputs,
                       struct error *error)
{
    for (size_t v = 0; v < network->n_values; v++)
        if ((run_input(inputs, v) != NULL || network->value[v].output) &&
            !fits(&network->value[v], error))
            return false;
    return true;
}

static bool send_input(int socket, const struct value *value, const struct elements *elements)
{
    size_t length = strlen(value->name) + 1;
    struct beside_input *input = memory_alloc(1, sizeof *input + length);
    bool good;

    input->rank = value->rank;
    for (int d = 0; d < value->rank; d++)
        input->dim[d] = (int)value->dim[d];
    memcpy(input->name, value->name, length);
    good = message_send(socket, BESIDE_INPUT, input, sizeof *input + length) &&
           message_send(socket, BESIDE_ELEMENTS, elements->data, elements->bytes);
    free(input);
    return good;
}

static bool send_work(int socket, const struct beside_request *request,
                      const struct run_inputs *inputs)
{
    const struct beside_order order = {request->threads, request->rounds};
    const struct network *network = request->network;
    bool good = message_send(socket, BESIDE_MODEL, request->model, strlen(request->model) + 1);

    for (size_t v = 0; good && v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if (run_input(inputs, v) != NULL)
            good = send_input(socket, value, run_input(inputs, v));
        if (good && value->output)
            good = message_send(socket, BESIDE_OUTPUT, value->name, strlen(value->name) + 1);
    }
    return good && message_send(socket, BESIDE_ORDER, &order, sizeof order);
}

/* --- what it answers --- */

/* Looks at one output, of which ANSWER has the elements.  */
static bool compare(struct beside *beside, const struct value *value, const float *ours,
                    const struct message *answer, struct error *error)
{
    const float *theirs = answer->data;
    size_t count = (size_t)value_elements(value);
    double most = 0.0, largest = 0.0, distance;

    if (answer->size != count * sizeof *theirs)
        return error_set(error, "its output '%s' has %zu f32, not %zu", value->name,
                         answer->size / sizeof *theirs, count);
    for (size_t i = 0; i < count; i++) {
        double a = (double)ours[i], b = (double)theirs[i];

        if (a != b && !(isnan(a) && isnan(b)))
            most = isnan(a - b) || isnan(most) ? NAN : fmax(most, fabs(a - b));
        if (isfinite(a))
            largest = fmax(largest, fabs(a));
    }
    distance = most == 0.0 ? 0.0 : most / largest;
    if (beside->farthest == NULL || isnan(distance) || distance > beside->distance) {
        beside->distance = distance;
        beside->farthest = value->name;
    }
    return true;
}

static bool compare_outputs(struct beside *beside, const struct beside_request *request, int socket,
                            bool *heard, struct error *error)
{
    const struct network *network = request->network;

    for (size_t v = 0; v < network->n_values; v++) {
        struct message answer;
        bool good;

        if (request->output[v] == NULL)
            continue;
        *heard = message_receive(socket, &answer, INFINITY, NULL) == MESSAGE_HERE;
        if (!*heard)
            return false;
        good = compare(beside, &network->value[v], request->output[v]->data, &answer, error);
        free(answer.data);
        if (!good || isnan(beside->distance))
            return good;
    }
    return true;
}

/* HEARD: whether the program said all that it had to say.  */
static bool receive(struct beside *beside, const struct beside_request *request, int socket,
                    bool *heard, struct error *error)
{
    struct message message;
    struct beside_facts *facts;

    *heard = message_receive(socket, &message, INFINITY, NULL) == MESSAGE_HERE;
    if (!*heard)
        return false;
    snprintf(beside->library, sizeof beside->library, "%s", (const char *)message.data);
    free(message.data);
    *heard = message_receive(socket, &message, INFINITY, NULL) == MESSAGE_HERE;
    if (!*heard)
        return false;
    if (message.kind == BESIDE_REFUSAL) {
        error_set(error, "%s", (const char *)message.data);
        free(message.data);
        return false;
    }
    facts = message.data;
    beside->resident_bytes = facts->resident_bytes;
    free(facts);
    beside->round = message_expect(socket, BESIDE_SECONDS, request->rounds * sizeof(double));
    *heard = beside->round != NULL;
    beside->rounds = request->rounds;
    return *heard && compare_outputs(beside, request, socket, heard, error);
}

/* --- all of it --- */

bool beside_run(struct beside *beside, const struct beside_request *request, struct error *error)
{
    const struct library *library = find_library(request->library, error);
    struct run_inputs *inputs;
    struct process process;
    bool good, heard;

    *beside = (struct beside){.distance = 0.0};
    if (library == NULL)
        return false;
    snprintf(beside->library, sizeof beside->library, "%s", library->name);
    inputs = run_inputs_new(request->network);
    good = comparable(request->network, inputs, error) &&
           begin(&process, library, request->threads, error);
    if (good) {
        heard = send_work(process.fd, request, inputs);
        good = heard && receive(beside, request, process.fd, &heard, error);
        if (heard)
            process_end(&process);
        else
            broken(&process, error);
    }
    run_inputs_free(inputs);
    return good;
}

void beside_clear(struct beside *beside)
{
    free(beside->round);
    *beside = (struct beside){.distance = 0.0};
}
