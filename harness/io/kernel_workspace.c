/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/kernel_workspace.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/io/process.h"
#include "kernels/kernel.h"
#include "lib/base/params.h"

/* Memory that the process that asks shares with this one.  */
struct answers {
    bool seen;           /* some answer is no more than what was seen in the heap */
    struct error reason; /* of the first layer that the kernel does not do */
    int64_t bytes[];
};

struct question {
    const struct conv_kernel *kernel;
    struct conv_request request;
    const struct params *params;
    const struct conv_shape *shape;
    size_t count;
    struct answers *answers;
};

/* The best instruction set of the machine, up to *ISA, that KERNEL has code for.  */
static void choose_isa(const struct conv_kernel *kernel, enum isa *isa)
{
    while (*isa > 0 && ((kernel->isas & 1U << *isa) == 0 || !isa_available(*isa)))
        --*isa;
}

/* The index of an earlier layer of the same shape, or I.  */
static size_t same_shape(const struct question *question, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (memcmp(&question->shape[j], &question->shape[i], sizeof question->shape[i]) == 0)
            return j;
    return i;
}

static void ask(void *context, int socket)
{
    const struct question *question = context;
    struct conv_request request = question->request;
    struct error *unsaid = &question->answers->reason;

    (void)socket;
    for (size_t i = 0; i < question->count; i++) {
        const size_t same = same_shape(question, i);
        int64_t *bytes = &question->answers->bytes[i];
        struct conv_plan plan;

        request.shape = question->shape[i];
        if (same < i) {
            *bytes = question->answers->bytes[same];
        } else if (conv_plan_make(&plan, question->kernel, &request, question->params, unsaid)) {
            *bytes = plan.workspace_bytes;
            question->answers->seen |= plan.workspace_seen;
            conv_plan_clear(&plan);
        } else {
            *bytes = -1;
            unsaid = NULL;
        }
    }
}

static bool ask_apart(struct question *question, struct error *error)
{
    struct process process;
    int status;

    if (!process_start(&process, 0, ask, question, error))
        return false;
    status = process_wait(&process, NULL);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return !question->answers->seen ||
               error_set(error,
                         "%s does not say what it asks for; what is seen of it in a process's heap "
                         "is not the same each time",
                         question->kernel->name);
    if (WIFSIGNALED(status))
        return error_set(error, "the process that asked %s was killed by signal %d (%s)",
                         question->kernel->name, WTERMSIG(status), strsignal(WTERMSIG(status)));
    return error_set(error, "the process that asked %s ended with status %d",
                     question->kernel->name, WEXITSTATUS(status));
}

bool kernel_workspace(const char *method, const struct conv_shape *shape, size_t count,
                      int64_t *bytes, struct error *reason, struct error *error)
{
    struct question question = {
        .kernel = conv_kernel_find(method), .request.threads = 1, .shape = shape, .count = count};
    const size_t size = sizeof *question.answers + count * sizeof *bytes;
    struct params none;
    bool good;

    if (question.kernel == NULL)
        return conv_kernel_unknown(method, error) ||
               error_prefix(error, "expected none, im2col, winograd or a kernel");
    if (!isa_default(&question.request.isa, error) ||
        !params_parse(&none, method, NULL, &question.kernel->params,
                      question.kernel->params != NULL, error))
        return false;
    choose_isa(question.kernel, &question.request.isa);
    question.params = &none;
    question.answers = process_share(size);
    if (question.answers == NULL)
        good = error_set(error, "no memory to share with another process: %s", strerror(errno));
    else
        good = ask_apart(&question, error);
    if (good) {
        memcpy(bytes, question.answers->bytes, count * sizeof *bytes);
        *reason = question.answers->reason;
    }
    if (question.answers != NULL)
        munmap(question.answers, size);
    params_clear(&none);
    return good;
}
