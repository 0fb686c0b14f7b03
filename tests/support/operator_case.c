/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/operator_case.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "runtime/operators/operator.h"
#include "tests/support/tap.h"

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
    while (*text != ' ' && *text != '\0') {
        tensor->dim[tensor->rank++] = strtoll(text, &end, 10);
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
    struct computation *computation =
        computation_new(c->name, c->version, OPERATOR_CASE_INPUTS, OPERATOR_CASE_OUTPUTS);

    operator_attributes(computation, c->attributes);
    for (int i = 0; i < OPERATOR_CASE_OUTPUTS; i++)
        if (c->output[i] == NULL)
            computation->output[i] = NETWORK_NONE;
    return computation;
}

/* Output I, or NULL.  */
static struct parsed *parse_output(const struct operator_case *c, int i, bool twice)
{
    if (c->output[i] == NULL || strcmp(c->output[i], OPERATOR_CASE_UNREAD) == 0)
        return NULL;
    return parse(c->output[i], twice);
}

/* --- running --- */

static bool is_near(double got, double want, bool twice)
{
    double bound = (twice ? 1e-12 : 1e-5) * fmax(1.0, fabs(want));

    return got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= bound;
}

static void compare(const struct operator_case *c, int number, const struct parsed *output,
                    bool twice)
{
    int64_t i = 0;

    while (i < output->elements && is_near(tensor_real(&output->tensor, i), output->want[i], twice))
        i++;
    if (!ok(i == output->elements, "%s, %s: output %d", c->what, twice ? "f64" : "f32", number))
        tap_diag("element %d is %.9g, expected %.9g", (int)i, tensor_real(&output->tensor, i),
                 output->want[i]);
}

static void run(const struct operator_case *c, bool twice)
{
    struct computation *computation = make_computation(c);
    struct parsed *input[OPERATOR_CASE_INPUTS], *output[OPERATOR_CASE_OUTPUTS];
    const struct tensor *in[OPERATOR_CASE_INPUTS], *out[OPERATOR_CASE_OUTPUTS];
    struct error error = {{0}};
    struct call call = {computation, 0, 0, in, out, &error};
    bool good;

    for (int i = 0; i < OPERATOR_CASE_INPUTS; i++) {
        input[i] = c->input[i] == NULL ? NULL : parse(c->input[i], twice);
        in[i] = input[i] == NULL ? NULL : &input[i]->tensor;
        call.inputs = in[i] == NULL ? call.inputs : (size_t)i + 1;
    }
    for (int i = 0; i < OPERATOR_CASE_OUTPUTS; i++) {
        output[i] = parse_output(c, i, twice);
        out[i] = output[i] == NULL ? NULL : &output[i]->tensor;
        call.outputs = out[i] == NULL ? call.outputs : (size_t)i + 1;
        if (output[i] != NULL)
            memset(output[i]->tensor.data, 0xA5, (size_t)output[i]->elements * sizeof(double));
    }
    good = operator_accepts(&call) && operator_run(&call);
    if (c->refused != NULL)
        ok(!good && strstr(error.text, c->refused) != NULL, "%s: refused%s%s", c->what,
           good ? "" : ": ", error.text);
    else if (ok(good, "%s, %s: runs%s%s", c->what, twice ? "f64" : "f32", good ? "" : ": ",
                error.text))
        for (int i = 0; i < OPERATOR_CASE_OUTPUTS; i++)
            if (output[i] != NULL)
                compare(c, i, output[i], twice);
    for (int i = 0; i < OPERATOR_CASE_INPUTS; i++)
        parsed_free(input[i]);
    for (int i = 0; i < OPERATOR_CASE_OUTPUTS; i++)
        parsed_free(output[i]);
    computation_free(computation);
}

void operator_cases(const struct operator_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        run(&cases[i], false);
        if (cases[i].refused == NULL)
            run(&cases[i], true);
    }
}
