/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/operator_case.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "runtime/operators/operator.h"
#include "tests/support/source_table.h"
#include "tests/support/tap.h"

enum { INPUTS = 8, OUTPUTS = 5, NAMES = 32, FILE_LIMIT = 1 << 20 };

#define UNREAD "unread"

/* Parts of a line, NULL where they are left out.  */
struct operator_case {
    const char *file; /* the last part of its name */
    int line;
    const char *what, *name, *attributes, *input[INPUTS], *output[OUTPUTS], *refused;
    int64_t version;
};

struct parsed {
    struct tensor tensor;
    int64_t elements;
    double *want;
};

/* --- text to tensors --- */

static enum dtype read_type(const char **text, bool twice)
{
    for (int i = DTYPE_F32; i <= DTYPE_U64; i++) {
        const char *name = dtype_name((enum dtype)i);
        size_t length = strlen(name);

        if (strncmp(*text, name, length) == 0 && (*text)[length] == ' ') {
            *text += length + 1;
            return (enum dtype)i;
        }
    }
    return twice ? DTYPE_F64 : DTYPE_F32;
}

static void put(struct tensor *tensor, int64_t i, double number)
{
    switch (tensor->dtype) {
    case DTYPE_F32:
        ((float *)tensor->data)[i] = (float)number;
        break;
    case DTYPE_F64:
        ((double *)tensor->data)[i] = number;
        break;
    case DTYPE_I32:
        ((int32_t *)tensor->data)[i] = (int32_t)number;
        break;
    case DTYPE_I64:
        ((int64_t *)tensor->data)[i] = (int64_t)fmin(number, 0x1.fffffffffffffp62);
        break;
    case DTYPE_I8:
        ((int8_t *)tensor->data)[i] = (int8_t)number;
        break;
    case DTYPE_I16:
        ((int16_t *)tensor->data)[i] = (int16_t)number;
        break;
    case DTYPE_U16:
    case DTYPE_F16:
    case DTYPE_BF16:
        ((uint16_t *)tensor->data)[i] = (uint16_t)number;
        break;
    case DTYPE_U32:
        ((uint32_t *)tensor->data)[i] = (uint32_t)number;
        break;
    case DTYPE_U64:
        ((uint64_t *)tensor->data)[i] = (uint64_t)number;
        break;
    default:
        ((uint8_t *)tensor->data)[i] = (uint8_t)number;
        break;
    }
}

/* What is left out of the text is 0.  */
static struct parsed *parse(const char *text, bool twice)
{
    struct parsed *parsed = memory_zalloc(1, sizeof *parsed);
    struct tensor *tensor = &parsed->tensor;
    char *end = (char *)text;

    tensor->dtype = read_type(&text, twice);
    if (strncmp(text, "scalar", 6) == 0)
        text += 6;
    while (*text != ' ' && *text != '\0') {
        tensor->dim[tensor->rank++] = strtoll(text, &end, 10);
        assert(end != text); /* a dimension, and no name that nothing has */
        text = *end == 'x' ? end + 1 : end;
    }
    parsed->elements = tensor_elements(tensor);
    parsed->want = memory_zalloc((size_t)parsed->elements + 1, sizeof *parsed->want);
    tensor->data = memory_zalloc((size_t)parsed->elements + 1, sizeof(double));
    for (int64_t i = 0; i < parsed->elements; i++) {
        parsed->want[i] = strtod(text, &end);
        put(tensor, i, parsed->want[i]);
        text = end;
    }
    assert(*text == '\0'); /* no more elements than the shape has */
    return parsed;
}

static void parsed_free(struct parsed *parsed)
{
    if (parsed == NULL)
        return;
    free(parsed->want);
    free(parsed->tensor.data);
    free(parsed);
}

/* --- text to attributes --- */

static void add_attribute(struct computation *computation, char *name, char *value)
{
    bool real = strpbrk(value, ".") != NULL;
    int64_t integer[16];
    double number[16];
    size_t count = 0;
    char *end = value;

    for (char *at = value; count < 16; at = end + 1) {
        number[count] = strtod(at, &end);
        integer[count] = (int64_t)number[count];
        if (end == at) {
            computation_set_text(computation, name, value);
            return;
        }
        count++;
        if (*end != ',')
            break;
    }
    if (real)
        computation_set_reals(computation, name, number, count);
    else
        computation_set_integers(computation, name, integer, count);
}

void operator_attributes(struct computation *computation, const char *attributes)
{
    char *text = memory_strdup(attributes == NULL ? "" : attributes), *rest = NULL;

    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');

        assert(value != NULL); /* each is NAME=VALUE */
        *value = '\0';
        add_attribute(computation, word, value + 1);
    }
    free(text);
}

static struct computation *make_computation(const struct operator_case *c)
{
    struct computation *computation = computation_new(c->name, c->version, INPUTS, OUTPUTS);

    operator_attributes(computation, c->attributes);
    for (int i = 0; i < OUTPUTS; i++)
        if (c->output[i] == NULL)
            computation->output[i] = NETWORK_NONE;
    return computation;
}

/* Output I, or NULL.  */
static struct parsed *parse_output(const struct operator_case *c, int i, bool twice)
{
    if (c->output[i] == NULL || strcmp(c->output[i], UNREAD) == 0)
        return NULL;
    return parse(c->output[i], twice);
}

/* --- running --- */

/* Of halves the bits.  */
static double element(const struct tensor *tensor, int64_t i)
{
    if (tensor->dtype == DTYPE_F16 || tensor->dtype == DTYPE_BF16)
        return ((const uint16_t *)tensor->data)[i];
    return tensor_real(tensor, i);
}

static bool is_near(double got, double want, bool twice)
{
    double bound = (twice ? 1e-12 : 1e-5) * fmax(1.0, fabs(want));

    return got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= bound;
}

static void compare(const struct operator_case *c, int number, const struct parsed *output,
                    bool twice)
{
    int64_t i = 0;

    while (i < output->elements && is_near(element(&output->tensor, i), output->want[i], twice))
        i++;
    if (!ok(i == output->elements, "%s, %s, %s: output %d", c->name, c->what, twice ? "f64" : "f32",
            number))
        tap_diag("%s:%d: element %d is %.9g, expected %.9g", c->file, c->line, (int)i,
                 element(&output->tensor, i), output->want[i]);
}

static void run(const struct operator_case *c, bool twice)
{
    struct computation *computation = make_computation(c);
    struct parsed *input[INPUTS], *output[OUTPUTS];
    const struct tensor *in[INPUTS], *out[OUTPUTS];
    struct error error = {{0}};
    struct call call = {.computation = computation,
                        .inputs = 0,
                        .outputs = 0,
                        .input = in,
                        .output = out,
                        .error = &error};
    bool good;

    for (int i = 0; i < INPUTS; i++) {
        input[i] = c->input[i] == NULL ? NULL : parse(c->input[i], twice);
        in[i] = input[i] == NULL ? NULL : &input[i]->tensor;
        call.inputs = in[i] == NULL ? call.inputs : (size_t)i + 1;
    }
    for (int i = 0; i < OUTPUTS; i++) {
        output[i] = parse_output(c, i, twice);
        out[i] = output[i] == NULL ? NULL : &output[i]->tensor;
        call.outputs = out[i] == NULL ? call.outputs : (size_t)i + 1;
        if (output[i] != NULL)
            memset(output[i]->tensor.data, 0xA5, (size_t)output[i]->elements * sizeof(double));
    }
    good = operator_accepts(&call) && operator_run(&call);
    if (c->refused != NULL)
        ok(!good && strstr(error.text, c->refused) != NULL, "%s:%d: %s, %s: refused: %s", c->file,
           c->line, c->name, c->what, error.text);
    else if (ok(good, "%s:%d: %s, %s, %s: runs %s", c->file, c->line, c->name, c->what,
                twice ? "f64" : "f32", error.text))
        for (int i = 0; i < OUTPUTS; i++)
            if (output[i] != NULL)
                compare(c, i, output[i], twice);
    for (int i = 0; i < INPUTS; i++)
        parsed_free(input[i]);
    for (int i = 0; i < OUTPUTS; i++)
        parsed_free(output[i]);
    computation_free(computation);
}

bool operator_runs(const struct computation *computation, const struct tensor *const *input,
                   size_t inputs, const struct tensor *const *output, size_t outputs)
{
    struct error error = {""};
    const struct call call = {.computation = computation,
                              .inputs = inputs,
                              .outputs = outputs,
                              .input = input,
                              .output = output,
                              .error = &error};
    bool good = operator_accepts(&call) && operator_run(&call);

    if (!good)
        tap_diag("%s", error.text);
    return good;
}

/* --- a file --- */

/* Names of tensors.  */
struct names {
    size_t count;
    const char *name[NAMES], *text[NAMES];
};

_Noreturn static void no_case(const struct operator_case *c, const char *why)
{
    tap_diag("%s:%d: %s", c->file, c->line, why);
    abort();
}

/* Ends TEXT at BEFORE, if that is in it; what comes behind that, or NULL.  */
static char *split(char *text, const char *before)
{
    char *found = strstr(text, before);

    if (found == NULL)
        return NULL;
    *found = '\0';
    return found + strlen(before);
}

/* Up to MOST tensors; returns whether there are no more.  */
static bool read_tensors(char *text, const struct names *names, const char **tensor, int most)
{
    char *next = text;

    for (int i = 0; next != NULL && *next != '\0'; i++) {
        char *word = next;

        if (i == most)
            return false;
        next = split(word, "; ");
        tensor[i] = strcmp(word, "_") == 0 ? NULL : word;
        for (size_t n = 0; n < names->count; n++)
            if (strcmp(word, names->name[n]) == 0)
                tensor[i] = names->text[n];
    }
    return true;
}

static void read_case(char *line, const struct names *names, struct operator_case *c)
{
    char *what = split(line, " # "), *refused = split(line, " ! ");
    char *outputs = split(line, ") -> "), *inputs = split(line, " (");
    char *version = split(line, " ");

    *c = (struct operator_case){.file = c->file,
                                .line = c->line,
                                .what = what == NULL ? "" : what,
                                .name = line,
                                .refused = refused};
    if (outputs == NULL || inputs == NULL || version == NULL)
        no_case(c, "expected NAME VERSION [ATTRIBUTE=VALUE]... (INPUTS) -> OUTPUTS");
    c->version = strtoll(version, &version, 10);
    c->attributes = version;
    if (!read_tensors(inputs, names, c->input, INPUTS) ||
        !read_tensors(outputs, names, c->output, OUTPUTS))
        no_case(c, "too many inputs or outputs");
}

/* One space for several.  */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' || from[1] != ' ')
            *to++ = *from;
    *to = '\0';
}

/* Ends a line, of which the next ones are part that begin with a space; what follows them.  */
static char *take_line(char *text, int *lines)
{
    char *end = text;

    for (*lines = 1; (end = strchr(end, '\n')) != NULL && end[1] == ' '; ++*lines)
        *end = ' ';
    assert(end != NULL); /* the file ends with a line */
    *end = '\0';
    squeeze(text);
    return end + 1;
}

void operator_cases(const char *name)
{
    char *path = source_path(name), *text, *next;
    struct operator_case c = {.file = strrchr(name, '/') + 1, .line = 1};
    struct names names = {0};
    struct error error;
    size_t length;
    int lines;

    if (!file_read(path, FILE_LIMIT, &text, &length, &error))
        tap_bail(error.text);
    for (char *line = text; *line != '\0'; line = next, c.line += lines) {
        char *value;

        next = take_line(line, &lines);
        if (*line == '#' || *line == '\0')
            continue;
        value = split(line, " = ");
        if (value == NULL) {
            read_case(line, &names, &c);
            run(&c, false);
            if (c.refused == NULL)
                run(&c, true);
        } else {
            assert(names.count < NAMES);
            names.name[names.count] = line;
            names.text[names.count++] = value;
        }
    }
    free(text);
    free(path);
}
