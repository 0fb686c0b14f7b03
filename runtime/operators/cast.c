/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cast and CastLike between all types but complex ones and texts.
 *
 * ONNX's texts of these: reals are cut towards zero to whole numbers, all but 0 is true.  What the
 * texts leave open is said in cast.h.  Halves are rounded to the nearest, ties to even; bfloat16
 * is f32 without its last 16 bits, as in the outputs that come with ONNX's own models.  The type
 * is that of the output, which inference found from `to`.  */
#include <config.h>

#include "runtime/operators/cast.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

/* Elements are converted by way of doubles or whole numbers of 64 bits, some at a time.  */
#define CHUNK 256

/* --- reals of 16 bits: a sign, bits of an exponent, bits of a fraction --- */

struct narrow {
    int exponent_bits, fraction_bits;
    double (*round)(double real);
};

static const struct narrow half = {5, 10, rint}, bfloat = {8, 7, trunc};

static int least_exponent(const struct narrow *form)
{
    return 2 - (1 << (form->exponent_bits - 1));
}

static double widen(const struct narrow *form, uint16_t bits)
{
    int all = (1 << form->exponent_bits) - 1;
    int exponent = bits >> form->fraction_bits & all;
    int fraction = bits & ((1 << form->fraction_bits) - 1);
    double size;

    if (exponent == all)
        size = fraction == 0 ? (double)INFINITY : (double)NAN;
    else if (exponent == 0)
        size = ldexp(fraction, least_exponent(form) - form->fraction_bits);
    else
        size = ldexp(fraction + (1 << form->fraction_bits),
                     exponent - 1 + least_exponent(form) - form->fraction_bits);
    return bits >> 15 != 0 ? -size : size;
}

/* Bits of the exponent and the fraction beside each other are a number that grows with the real,
 * so a fraction that is rounded up to 1 carries into the exponent by itself.  */
static uint16_t narrow(const struct narrow *form, double real)
{
    int infinity = ((1 << form->exponent_bits) - 1) << form->fraction_bits;
    int sign = signbit(real) ? 1 << 15 : 0, exponent, bits;

    if (isnan(real))
        return (uint16_t)(sign | infinity | 1 << (form->fraction_bits - 1));
    if (isinf(real))
        return (uint16_t)(sign | infinity);
    frexp(real, &exponent);
    exponent = exponent - 1 < least_exponent(form) ? least_exponent(form) : exponent - 1;
    if (exponent > -least_exponent(form) + 1)
        return (uint16_t)(sign | infinity);
    bits = (int)form->round(ldexp(fabs(real), form->fraction_bits - exponent)) +
           ((exponent - least_exponent(form)) << form->fraction_bits);
    return (uint16_t)(sign | (bits < infinity ? bits : infinity));
}

/* --- loading and storing --- */

static bool is_real(enum dtype dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_F16 || dtype == DTYPE_BF16;
}

static void load_reals(const struct tensor *from, int64_t first, int64_t count, double *real)
{
    for (int64_t i = 0; i < count; i++)
        if (from->dtype == DTYPE_F16)
            real[i] = widen(&half, ((const uint16_t *)from->data)[first + i]);
        else if (from->dtype == DTYPE_BF16)
            real[i] = widen(&bfloat, ((const uint16_t *)from->data)[first + i]);
        else
            real[i] = tensor_real(from, first + i);
}

static void store_reals(const struct tensor *to, int64_t first, int64_t count, const double *real)
{
    for (int64_t i = 0; i < count; i++)
        if (to->dtype == DTYPE_F16)
            ((uint16_t *)to->data)[first + i] = narrow(&half, real[i]);
        else if (to->dtype == DTYPE_BF16)
            ((uint16_t *)to->data)[first + i] = narrow(&bfloat, real[i]);
        else if (to->dtype == DTYPE_F32)
            ((float *)to->data)[first + i] = (float)real[i];
        else
            ((double *)to->data)[first + i] = real[i];
}

#define STORE(type)                     \
    for (int64_t i = 0; i < count; i++) \
    ((type *)to->data)[first + i] = (type)whole[i]

static void store_wholes(const struct tensor *to, int64_t first, int64_t count,
                         const int64_t *whole)
{
    switch (to->dtype) {
    case DTYPE_F32:
        STORE(float);
        break;
    case DTYPE_F64:
        STORE(double);
        break;
    case DTYPE_BOOL:
        for (int64_t i = 0; i < count; i++)
            ((uint8_t *)to->data)[first + i] = whole[i] != 0;
        break;
    case DTYPE_I8:
    case DTYPE_U8:
        STORE(uint8_t);
        break;
    case DTYPE_I16:
    case DTYPE_U16:
        STORE(uint16_t);
        break;
    case DTYPE_I32:
    case DTYPE_U32:
        STORE(uint32_t);
        break;
    default:
        STORE(uint64_t);
    }
}

/* The whole number of 64 bits nearest to REAL without its fraction; of truth, whether it is not 0.
 */
static int64_t cut(double real, enum dtype to)
{
    if (to == DTYPE_BOOL)
        return real != 0;
    if (isnan(real))
        return 0;
    if (to == DTYPE_U64 && real >= 0x1p63)
        return (int64_t)(real >= 0x1p64 ? UINT64_MAX : (uint64_t)real);
    if (real >= 0x1p63)
        return INT64_MAX;
    return real < -0x1p63 ? INT64_MIN : (int64_t)real;
}

/* --- converting --- */

static void convert(const struct tensor *to, const struct tensor *from, int64_t first,
                    int64_t count)
{
    /* Whole numbers that 16 bits are made of have few bits, or are rounded anyway.  */
    bool by_reals = is_real(from->dtype) || to->dtype == DTYPE_F16 || to->dtype == DTYPE_BF16 ||
                    (from->dtype == DTYPE_U64 && is_real(to->dtype));
    double real[CHUNK];
    int64_t whole[CHUNK];

    if (by_reals)
        load_reals(from, first, count, real);
    else
        for (int64_t i = 0; i < count; i++)
            whole[i] = tensor_integer(from, first + i);
    if (by_reals && is_real(to->dtype)) {
        store_reals(to, first, count, real);
        return;
    }
    for (int64_t i = 0; by_reals && i < count; i++)
        whole[i] = cut(real[i], to->dtype);
    store_wholes(to, first, count, whole);
}

void cast_elements(const struct tensor *to, const struct tensor *from)
{
    int64_t elements = tensor_elements(to);

    if (to->dtype == from->dtype) {
        dense_copy(to, from);
        return;
    }
    for (int64_t first = 0; first < elements; first += CHUNK)
        convert(to, from, first, min64(CHUNK, elements - first));
}

/* --- halves --- */

/* COUNT tensors; of halves, those in f32 with memory of their own.  */
static const struct tensor **widened(const struct tensor *const *tensor, size_t count)
{
    const struct tensor **wide = memory_alloc(count, sizeof *wide);

    for (size_t i = 0; i < count; i++) {
        struct tensor *copy;

        wide[i] = tensor[i];
        if (tensor[i] == NULL || tensor[i]->dtype != DTYPE_F16)
            continue;
        copy = memory_alloc(1, sizeof *copy);
        *copy = *tensor[i];
        copy->dtype = DTYPE_F32;
        copy->data = memory_zalloc((size_t)tensor_elements(copy), sizeof(float));
        wide[i] = copy;
    }
    return wide;
}

static void free_widened(const struct tensor **wide, const struct tensor *const *tensor,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wide[i] != tensor[i]) {
            free(wide[i]->data);
            free((void *)(uintptr_t)wide[i]);
        }
    free(wide);
}

bool cast_halves(const struct call *call, bool (*run)(const struct call *call))
{
    const struct tensor **input = widened(call->input, call->inputs);
    const struct tensor **output = widened(call->output, call->outputs);
    struct call wide = *call;
    bool good;

    wide.input = input;
    wide.output = output;
    for (size_t i = 0; i < call->inputs; i++)
        if (input[i] != call->input[i])
            cast_elements(input[i], call->input[i]);
    good = run(&wide);
    for (size_t i = 0; good && i < call->outputs; i++)
        if (output[i] != call->output[i])
            cast_elements(call->output[i], output[i]);
    free_widened(input, call->input, call->inputs);
    free_widened(output, call->output, call->outputs);
    return good;
}

/* --- the rule --- */

static bool accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);

    if (!accept_inputs(call, 1) || !attributes_among(call, "to saturate") ||
        !accept_types(call, 0, 1, TYPES_CAST) || !accept_shape(call, 0, 0))
        return false;
    if (out == NULL || (TYPE(out->dtype) & TYPES_CAST) != 0)
        return true;
    return error_set(call->error, "no cast to %s", dtype_name(out->dtype));
}

static bool cast_run(const struct call *call)
{
    if (call_output(call, 0) != NULL)
        cast_elements(call->output[0], call->input[0]);
    return true;
}

const struct operator_rule operators_cast[] = {
    {"Cast", accepts, cast_run, 0},
    {"CastLike", accepts, cast_run, 0},
    {0},
};
