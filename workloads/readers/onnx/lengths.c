/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/lengths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "workloads/readers/onnx/given.h"
#include "workloads/readers/onnx/node.h"

bool onnx_lengths_begin(struct onnx_build *build)
{
    const char *text = build->params->count == 0 ? "" : params_text(build->params, "lengths");

    if (strcmp(text, "most") == 0)
        build->lengths = ONNX_NO_LIMIT;
    else if (text[0] != '\0' && !parse_int(text, 1, INT32_MAX, &build->lengths))
        return error_set(build->error, "%s: lengths=%s: expected most or a whole number from 1",
                         build->path, text);
    return true;
}

/* The value whose length it is; may be empty.  */
static const char *value_of(const struct onnx_op *op)
{
    return op->outputs > 0 ? op->node->output[0] : "";
}

/* Whether NAME can be a parameter's.  */
static bool is_writable(const char *name)
{
    return name[0] != '\0' && strpbrk(name, ",=") == NULL;
}

const char *onnx_length_name(const struct onnx_op *op)
{
    return is_writable(value_of(op)) ? value_of(op) : "";
}

/* The rule again, with MOST.  */
static bool infer_with(struct onnx_op *op, int64_t most)
{
    op->most = most;
    op->open = false;
    op->error->text[0] = '\0';
    return op->rule->infer(op);
}

/* One more that nobody gave; of the first there is the message.  */
static void note(struct onnx_build *build, const struct onnx_op *op)
{
    struct onnx_open_lengths *open = &build->open;

    if (open->count == 0) {
        open->node = op->node;
        open->message = memory_strdup(op->error->text);
    }
    open->length =
        memory_grow(open->length, &open->capacity, open->count + 1, sizeof *open->length);
    open->length[open->count++] = (struct onnx_open_length){value_of(op), op->limit};
}

bool onnx_length_find(struct onnx_build *build, struct onnx_op *op)
{
    if (!op->asked)
        return false;
    if (build->lengths > 0 && (infer_with(op, build->lengths) || !op->open))
        return op->error->text[0] == '\0';
    note(build, op);
    return infer_with(op, ONNX_NO_LIMIT);
}

/* --- the message --- */

/* "model.onnx:MORE"; the caller frees it.  */
static char *example(const struct onnx_build *build, const char *name, const char *value)
{
    char *more = memory_printf("%s=%s", name, value), *text = onnx_example(build, more);

    free(more);
    return text;
}

/* How the first can be given by itself.  */
static void write_own(const struct onnx_build *build, FILE *out)
{
    const char *name = build->open.length[0].name;
    char *one = example(build, is_writable(name) ? name : "lengths", "100");

    fprintf(out,
            "%s, and the file does not declare it (value_info); its most can be given, as in "
            "%s",
            build->open.message, one);
    free(one);
}

/* "v 20, w 8, ...", the most that there can be of each.  */
static void write_limits(const struct onnx_open_lengths *open, FILE *out)
{
    enum { SHOWN = 4 };

    for (size_t i = 0; i < open->count && i < SHOWN; i++) {
        const struct onnx_open_length *length = &open->length[i];

        fprintf(out, "%s%.80s ", i == 0 ? "" : ", ", length->name);
        if (length->limit == ONNX_NO_LIMIT)
            fputs("without a limit", out);
        else
            fprintf(out, "%" PRId64, length->limit);
    }
    fputs(open->count > SHOWN ? ", ..." : "", out);
}

/* How all can be given, and what that would be.  */
static void write_all(const struct onnx_build *build, FILE *out)
{
    const struct onnx_open_lengths *open = &build->open;
    char *most = example(build, "lengths", "most"), *number = example(build, "lengths", "100");

    if (open->count > 1) {
        fprintf(out,
                ", and that of all %zu such lengths at once: %s for no more than 100 of each, "
                "%s for as many as there can be (",
                open->count, number, most);
        write_limits(open, out);
        fputs(")", out);
    } else if (open->length[0].limit != ONNX_NO_LIMIT) {
        fprintf(out, ", or be as many as there can be (%" PRId64 "), as in %s",
                open->length[0].limit, most);
    }
    free(most);
    free(number);
}

bool onnx_lengths_end(struct onnx_build *build)
{
    const struct onnx_open_lengths *open = &build->open;
    char *text;
    size_t length;
    FILE *out;

    if (open->count == 0)
        return true;
    out = memory_stream(&text, &length);
    write_own(build, out);
    write_all(build, out);
    memory_stream_close(out);
    error_set(build->error, "%s", text);
    free(text);
    build->undecided = true;
    return onnx_at_node(build, open->node);
}

void onnx_lengths_clear(struct onnx_build *build)
{
    free(build->open.message);
    free(build->open.length);
}
