/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/beside/beside.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/io/options.h"
#include "harness/io/placement.h"
#include "harness/run/child.h"
#include "harness/run/run.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/inputs.h"
#include "solvers/program/tail.h"

/* --- files --- */

/* They are in memory and open here alone; the program knows them as /proc/PID/fd/N.  So nothing is
 * left behind, and what comes back is a file that nobody has put another one in place of.  */

static bool make_file(int *file, const void *data, size_t size, struct error *error)
{
    *file = memfd_create("beside", MFD_CLOEXEC);
    for (size_t done = 0; *file >= 0 && done < size;) {
        ssize_t count = write(*file, (const char *)data + done, size - done);

        if (count < 0 && errno != EINTR)
            return error_set(error, "can't hold a file in memory: %s", strerror(errno));
        done += count > 0 ? (size_t)count : 0;
    }
    return (*file >= 0 && lseek(*file, 0, SEEK_SET) == 0) ||
           error_set(error, "can't hold a file in memory: %s", strerror(errno));
}

static size_t file_size(int file)
{
    struct stat about;

    return fstat(file, &about) == 0 ? (size_t)about.st_size : 0;
}

/* SIZE bytes from FROM on, and a zero; the caller frees them.  What the file lacks is zero.  */
static char *file_part(int file, size_t from, size_t size)
{
    char *data = memory_zalloc(size + 1, 1);
    ssize_t got = 1;

    for (size_t done = 0; done < size && got > 0; done += got > 0 ? (size_t)got : 0)
        got = pread(file, data + done, size - done, (off_t)(from + done));
    return data;
}

static void close_file(int file)
{
    if (file >= 0)
        close(file);
}

/* --- its process --- */

/* One of ours.  Of several Pythons one may have the modules: the program ends well where it has,
 * and is asked nothing.  Else the last one says what is missing.  */
static const char *const named[] = {"onnxruntime", "opencv", "pytorch"};
static const char ours[] =
    "for python in python3 /usr/bin/python3; do"
    " \"$python\" -B \"$0\" </dev/null >/dev/null 2>&1 && exec \"$python\" -B \"$0\";"
    " done; exec python3 -B \"$0\"";

static bool is_command(const char *program)
{
    return strpbrk(program, " \t\n/") != NULL;
}

struct talk {
    const char *command;
    char *script; /* its $0 */
    int threads;
    int order, answer, said; /* standard input, output and error */
    rlim_t longest;          /* bytes of each file that it writes */
};

/* Beside outputs: what it says, and what a library may keep for itself.  */
enum { SPARE_BYTES = 16 << 20 };

/* The longest answer: lines of up to so many bytes.  */
enum { LINE_BYTES = 1024, OTHER_LINES = 16 };

static void become(void *context)
{
    const struct talk *talk = context;
    const struct rlimit longest = {talk->longest, talk->longest};
    char threads[16];

    snprintf(threads, sizeof threads, "%d", talk->threads);
    /* What the library's own libraries would start.  */
    setenv("OMP_NUM_THREADS", threads, 1);
    setenv("OPENBLAS_NUM_THREADS", threads, 1);
    (void)placement_bind((size_t)talk->threads);
    setrlimit(RLIMIT_FSIZE, &longest);
    if (dup2(talk->order, STDIN_FILENO) >= 0 && dup2(talk->answer, STDOUT_FILENO) >= 0 &&
        dup2(talk->said, STDERR_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", talk->command, talk->script, (char *)NULL);
    _exit(127);
}

/* Why it did not end well, with the last line that it said.  */
static bool ended_badly(const struct talk *talk, const struct child_end *end, struct error *error)
{
    size_t size = file_size(talk->said), length;
    struct tail tail = {0};
    char line[256], *text;
    size_t part = size < sizeof tail.text ? size : sizeof tail.text;

    if (end->signal == 0 && !end->killed && !end->exceeded)
        error_set(error, "it ended with status %d", end->status);
    else
        child_outcome(end, error->text, sizeof error->text);
    text = file_part(talk->said, size - part, part);
    tail_add(&tail, text, part);
    free(text);
    tail_last_line(&tail, end->signal != 0, line, sizeof line);
    length = strlen(error->text);
    if (line[0] != '\0')
        snprintf(error->text + length, sizeof error->text - length, "; it said: %s", line);
    return false;
}

/* Lets PROGRAM read ORDER under LIMITS to its end; TALK has what it has said then.  */
static bool converse(struct talk *talk, const char *program, const char *order,
                     const struct run_limits *limits, struct child_end *end, struct error *error)
{
    char *name = memory_printf("programs/beside-%s.py", program);
    const struct child_task task = {
        .work = become, .context = talk, .limits = limits, .starts_processes = true};
    bool good;

    talk->command = is_command(program) ? program : ours;
    talk->script = is_command(program) ? memory_strdup("sh") : share_path(name);
    talk->order = talk->answer = talk->said = -1;
    good = make_file(&talk->order, order, strlen(order), error) &&
           make_file(&talk->answer, NULL, 0, error) && make_file(&talk->said, NULL, 0, error) &&
           child_run(&task, end, error);
    free(talk->script);
    free(name);
    return good;
}

static void end_talk(const struct talk *talk)
{
    close_file(talk->order);
    close_file(talk->answer);
    close_file(talk->said);
}

static bool went_well(const struct child_end *end)
{
    return end->signal == 0 && end->status == 0 && !end->killed && !end->exceeded;
}

bool beside_known(const char *program, struct error *error)
{
    const struct run_limits limits = {.time_s = 60.0, .memory_bytes = run_default_memory(1)};
    const size_t count = sizeof named / sizeof named[0];
    struct talk talk = {.threads = 1, .longest = SPARE_BYTES};
    struct child_end end;
    bool good = false;

    if (is_command(program))
        return true;
    for (size_t i = 0; i < count; i++)
        good = good || strcmp(program, named[i]) == 0;
    if (!good)
        return error_unknown(
            error, "library", program, named, count,
            ": expected onnxruntime, opencv, pytorch, or a command, which has a blank or a slash");
    good = converse(&talk, program, "", &limits, &end, error) &&
           (went_well(&end) || ended_badly(&talk, &end, error));
    end_talk(&talk);
    return good || error_prefix(error, "%s", program);
}

/* --- what it is told --- */

/* Adds the place of a value to ORDER.  */
static bool tell_place(FILE *order, const char *word, int file, const struct value *value,
                       struct error *error)
{
    if (strchr(value->name, '\n') != NULL)
        return error_set(error, "'%s' has a line's end in its name", value->name);
    fprintf(order, "%s /proc/%ld/fd/%d %s ", word, (long)getpid(), file, dtype_name(value->dtype));
    for (int d = 0; d < value->rank; d++)
        fprintf(order, "%s%" PRId64, d > 0 ? "," : "", value->dim[d]);
    fprintf(order, "%s %s\n", value->rank == 0 ? "-" : "", value->name);
    return true;
}

/* The files of values, one a value of the network; -1: it is not given, or not wanted.  */
struct files {
    int *input, *output;
};

static bool tell(FILE *order, const struct beside_request *request, const struct files *files,
                 struct error *error)
{
    const struct network *network = request->network;
    struct run_inputs *inputs = run_inputs_new(network, request->given);
    bool good = true;

    if (strchr(request->model, '\n') != NULL)
        good = error_set(error, "'%s' has a line's end in its name", request->model);
    fprintf(order, "model %s\nthreads %d\nrounds %zu\n", request->model, request->threads,
            request->rounds);
    for (size_t v = 0; good && v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        const struct elements *given = run_input(inputs, v);

        if (given != NULL)
            good = make_file(&files->input[v], given->data, given->bytes, error) &&
                   tell_place(order, "input", files->input[v], value, error);
        if (good && request->output[v] != NULL)
            good = (value->dtype == DTYPE_F32 ||
                    error_set(error, "output '%s' is %s: only f32 is compared", value->name,
                              dtype_name(value->dtype))) &&
                   make_file(&files->output[v], NULL, 0, error) &&
                   tell_place(order, "output", files->output[v], value, error);
    }
    run_inputs_free(inputs);
    return good;
}

/* --- what it answers --- */

/* Looks at one output, of which FILE has the elements.  */
static bool compare(struct beside *beside, const struct value *value, const float *own, int file,
                    struct error *error)
{
    size_t count = (size_t)value_elements(value), bytes = count * sizeof *own;
    double most = 0.0, largest = 0.0, distance;
    float *theirs;

    if (file_size(file) != bytes)
        return error_set(error, "its output '%s' has %zu bytes, not %zu", value->name,
                         file_size(file), bytes);
    theirs = (float *)(void *)file_part(file, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        double a = (double)own[i], b = (double)theirs[i];

        if (a != b && !(isnan(a) && isnan(b)))
            most = isnan(a - b) || isnan(most) ? NAN : fmax(most, fabs(a - b));
        if (isfinite(a))
            largest = fmax(largest, fabs(a));
    }
    free(theirs);
    distance = most == 0.0 ? 0.0 : most / largest;
    if (beside->farthest == NULL || isnan(distance) || distance > beside->distance) {
        beside->distance = distance;
        beside->farthest = value->name;
    }
    return true;
}

static bool compare_outputs(struct beside *beside, const struct beside_request *request,
                            const struct files *files, struct error *error)
{
    for (size_t v = 0; v < request->network->n_values && !isnan(beside->distance); v++)
        if (files->output[v] >= 0 && !compare(beside, &request->network->value[v],
                                              request->output[v]->data, files->output[v], error))
            return false;
    return true;
}

/* What it has said and how it has ended.  A refusal is one however it ends.  */
static bool hear(struct beside *beside, const struct beside_request *request,
                 const struct talk *talk, const struct child_end *end, struct error *error)
{
    const size_t size = file_size(talk->answer);
    char *text;
    bool good;

    if (size > LINE_BYTES * (request->rounds + OTHER_LINES))
        return error_set(error, "its answer is far too long: %zu bytes", size);
    text = file_part(talk->answer, 0, size);
    good = beside_answer_read(&beside->answer, text, size, request->rounds, error);
    free(text);
    if (!beside->answer.refused && !went_well(end))
        return ended_badly(talk, end, error);
    return good;
}

/* --- all of it --- */

/* The bytes of the largest output, and what else a file may have.  */
static rlim_t longest_file(const struct network *network)
{
    int64_t most = 0;

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].output)
            most = max64(most, value_bytes(&network->value[v]));
    return (rlim_t)most + SPARE_BYTES;
}

bool beside_run(struct beside *beside, const struct beside_request *request, struct error *error)
{
    const size_t count = request->network->n_values;
    struct talk talk = {.threads = request->threads, .longest = longest_file(request->network)};
    int *file = memory_alloc(2 * count + 1, sizeof *file);
    const struct files files = {file, file + count};
    struct child_end end;
    char *order = NULL;
    size_t length;
    FILE *out = memory_stream(&order, &length);
    bool good;

    *beside = (struct beside){.distance = 0.0};
    for (size_t f = 0; f < 2 * count; f++)
        file[f] = -1;
    good = tell(out, request, &files, error);
    memory_stream_close(out);
    if (good) {
        good = converse(&talk, request->program, order, request->limits, &end, error) &&
               hear(beside, request, &talk, &end, error) &&
               compare_outputs(beside, request, &files, error);
        end_talk(&talk);
    }
    for (size_t f = 0; f < 2 * count; f++)
        close_file(file[f]);
    free(file);
    free(order);
    return good;
}

void beside_clear(struct beside *beside)
{
    beside_answer_clear(&beside->answer);
}
