#include <config.h>

#include "runtime/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "runtime/memory.h"
#include "runtime/operators/operator.h"

/* An operator with its tensors.  */
struct step {
    const struct network_op *op;
    struct tensor *tensor; /* of the inputs, then of the outputs */
    const struct tensor **input, **output;
    bool idle; /* all that it makes is there */
};

struct run {
    const struct network *network;
    const struct run_memory *memory;
    size_t steps;
    struct step *step;
};

/* --- tensors --- */

static void set_tensor(struct tensor *tensor, const struct value *value, void *data)
{
    *tensor = (struct tensor){.dtype = value->dtype, .rank = value->rank, .data = data};
    memcpy(tensor->dim, value->dim, sizeof tensor->dim);
}

/* Whether output SLOT of OP lies on one of its inputs as a view of it.  */
static bool is_view(const struct run *run, const struct network_op *op, size_t slot)
{
    void *const *at = run->memory->value;

    for (size_t i = 0; i < op->reuses; i++) {
        const struct op_reuse *reuse = &op->reuse[i];

        if (reuse->kind == REUSE_FORWARD && reuse->output == slot &&
            (char *)at[op->input[reuse->input]] + reuse->offset == (char *)at[op->output[slot]])
            return true;
    }
    return false;
}

/* MEMORY NULL: tensors without data, to ask with.  */
static void set_step(const struct run *run, struct step *step, const struct network_op *op)
{
    const struct computation *computation = op->computation;
    const struct network *network = run->network;
    void *const *at = run->memory == NULL ? NULL : run->memory->value;
    bool made = false;

    step->op = op;
    step->tensor = memory_zalloc(computation->inputs + computation->outputs, sizeof *step->tensor);
    step->input = memory_zalloc(computation->inputs, sizeof *step->input);
    step->output = memory_zalloc(computation->outputs, sizeof *step->output);
    for (size_t i = 0; i < computation->inputs; i++) {
        size_t slot = computation->input[i];

        if (slot == NETWORK_NONE)
            continue;
        set_tensor(&step->tensor[i], &network->value[op->input[slot]],
                   at == NULL ? NULL : at[op->input[slot]]);
        step->input[i] = &step->tensor[i];
    }
    for (size_t i = 0; i < computation->outputs; i++) {
        size_t slot = computation->output[i];

        if (slot == NETWORK_NONE || (at != NULL && is_view(run, op, slot)))
            continue;
        set_tensor(&step->tensor[computation->inputs + i], &network->value[op->output[slot]],
                   at == NULL ? NULL : at[op->output[slot]]);
        step->output[i] = &step->tensor[computation->inputs + i];
        made = true;
    }
    step->idle = !made;
}

static void clear_step(struct step *step)
{
    free(step->tensor);
    free(step->input);
    free(step->output);
}

static struct call call_of(const struct step *step, struct error *error)
{
    const struct computation *computation = step->op->computation;

    return (struct call){
        .computation = computation,
        .inputs = computation->inputs,
        .outputs = computation->outputs,
        .input = step->input,
        .output = step->output,
        .error = error,
    };
}

/* --- what can be run --- */

static bool can_run(const struct network *network, const struct network_op *op, struct error *error)
{
    struct run asking = {.network = network};
    struct step step;
    struct call call;
    bool good;

    if (op->control != NULL)
        return error_set(error, "%s: loops and branches are not run", op->type);
    if (op->computation == NULL)
        return error_set(error, "%s: nothing says what it computes", op->type);
    set_step(&asking, &step, op);
    call = call_of(&step, error);
    good = operator_accepts(&call);
    clear_step(&step);
    return good;
}

/* The word for people.  */
static const char *word(const struct network_op *op)
{
    return op->computation != NULL ? op->computation->name : op->type;
}

/* Operators of one word that cannot be run.  */
struct refusal {
    const char *word;
    size_t count;
};

static void count_refusal(struct refusal *refusal, size_t *count, const char *name)
{
    size_t i = 0;

    while (i < *count && strcmp(refusal[i].word, name) != 0)
        i++;
    if (i == *count)
        refusal[(*count)++] = (struct refusal){.word = name};
    refusal[i].count++;
}

bool run_check(const struct network *network, struct error *error)
{
    struct refusal *refusal = memory_alloc(network->n_ops, sizeof *refusal);
    size_t count = 0, refused = 0, length;
    struct error own;
    FILE *text;
    char *list;

    for (size_t o = 0; o < network->n_ops; o++)
        if (!can_run(network, &network->op[o], refused == 0 ? error : &own)) {
            count_refusal(refusal, &count, word(&network->op[o]));
            refused++;
        }
    if (refused > 0) {
        text = memory_stream(&list, &length);
        for (size_t i = 0; i < count; i++)
            fprintf(text, "%s%s (%zu)", i > 0 ? ", " : "", refusal[i].word, refusal[i].count);
        memory_stream_close(text);
        error_prefix(error, "%zu of %zu operators cannot be run: %.200s%s; the first", refused,
                     network->n_ops, list, length > 200 ? "..." : "");
        free(list);
    }
    free(refusal);
    return refused == 0;
}

/* --- running --- */

static bool has_elements(const struct network *network, struct error *error)
{
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if (value->producer == NETWORK_NONE && value->role != VALUE_INPUT &&
            value->elements == NULL && value->readers > 0)
            return error_set(error, "stored value '%s' has no elements", value->name);
    }
    return true;
}

struct run *run_new(const struct network *network, const struct schedule *schedule,
                    const struct run_memory *memory, struct error *error)
{
    struct run *run;
    size_t *order;

    if (!has_elements(network, error))
        return NULL;
    run = memory_zalloc(1, sizeof *run);
    run->network = network;
    run->memory = memory;
    run->steps = network->n_ops;
    run->step = memory_zalloc(run->steps, sizeof *run->step);
    order = schedule_sequence(schedule);
    for (size_t i = 0; i < run->steps; i++)
        set_step(run, &run->step[i], &network->op[order[i]]);
    free(order);
    return run;
}

void run_free(struct run *run)
{
    if (run == NULL)
        return;
    for (size_t i = 0; i < run->steps; i++)
        clear_step(&run->step[i]);
    free(run->step);
    free(run);
}

bool run_once(struct run *run, struct error *error)
{
    for (size_t i = 0; i < run->steps; i++) {
        const struct step *step = &run->step[i];
        struct call call = call_of(step, error);

        if (!step->idle && !operator_run(&call))
            return error_prefix(error, "operator '%s'", step->op->name);
        if (!run_memory_intact(run->memory))
            return error_set(error, "operator '%s' wrote beside the arena", step->op->name);
    }
    return true;
}
