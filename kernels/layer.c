/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/layer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/strip.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

#define SIZE_PARAM(name, initial, help)                         \
    {                                                           \
        name, PARAM_INT, initial, NULL, 1, PARAM_NO_LIMIT, help \
    }

const struct param layer_params[] = {
    SIZE_PARAM("n", "1", "batch"),
    SIZE_PARAM("c", NULL, "input channels"),
    SIZE_PARAM("h", NULL, "input height"),
    SIZE_PARAM("w", NULL, "input width"),
    SIZE_PARAM("k", NULL, "output channels"),
    SIZE_PARAM("r", NULL, "filter height"),
    SIZE_PARAM("s", NULL, "filter width"),
    {"stride", PARAM_TEXT, "1", NULL, 0, 0, "stride, or height x width"},
    {"pad", PARAM_TEXT, "0", NULL, 0, 0, "padding, height x width, or top x bottom x left x right"},
    {"dilation", PARAM_TEXT, "1", NULL, 0, 0, "dilation, or height x width"},
    SIZE_PARAM("groups", "1", "groups"),
    PARAM_END,
};

/* Up to MOST numbers with an x between them.  Returns how many; 0: not that.  */
static int split_numbers(const char *text, int most, int64_t *number)
{
    char *copy = memory_strdup(text), *rest = copy;
    int count = 0;

    for (;;) {
        char *cross = strchr(rest, 'x');

        if (cross != NULL)
            *cross = '\0';
        if (count == most || !parse_int(rest, 0, INT64_MAX, &number[count])) {
            count = 0;
            break;
        }
        count++;
        if (cross == NULL)
            break;
        rest = cross + 1;
    }
    free(copy);
    return count;
}

static bool parse_pair(const struct params *params, const char *name, int64_t *height,
                       int64_t *width, struct error *error)
{
    const char *text = params_text(params, name);
    int64_t number[2];
    int count = split_numbers(text, 2, number);

    if (count == 0)
        return error_set(error, "layer: %s=%s, expected a number or HEIGHTxWIDTH", name, text);
    *height = number[0];
    *width = number[count - 1];
    return true;
}

static bool parse_pad(const struct params *params, struct conv_shape *shape, struct error *error)
{
    const char *text = params_text(params, "pad");
    int64_t number[4];
    int count = split_numbers(text, 4, number);

    if (count == 0 || count == 3)
        return error_set(
            error, "layer: pad=%s, expected a number, HEIGHTxWIDTH or TOPxBOTTOMxLEFTxRIGHT", text);
    shape->pad_top = number[0];
    shape->pad_bottom = count == 4 ? number[1] : number[0];
    shape->pad_left = count == 4 ? number[2] : number[count - 1];
    shape->pad_right = number[count - 1];
    return true;
}

bool layer_parse(const char *text, struct conv_shape *shape, struct error *error)
{
    const struct param *const table = layer_params;
    struct params params;
    bool good;

    if (!params_parse(&params, "layer", text, &table, 1, error))
        return false;
    memset(shape, 0, sizeof *shape);
    shape->n = params_int(&params, "n");
    shape->c = params_int(&params, "c");
    shape->h = params_int(&params, "h");
    shape->w = params_int(&params, "w");
    shape->k = params_int(&params, "k");
    shape->r = params_int(&params, "r");
    shape->s = params_int(&params, "s");
    shape->groups = params_int(&params, "groups");
    good = parse_pair(&params, "stride", &shape->stride_h, &shape->stride_w, error) &&
           parse_pair(&params, "dilation", &shape->dilation_h, &shape->dilation_w, error) &&
           parse_pad(&params, shape, error) && conv_shape_check(shape, error);
    params_clear(&params);
    return good;
}

/* ",NAME=A" or ",NAME=AxB"; nothing where both are the default.  */
static void print_pair(FILE *out, const char *name, int64_t a, int64_t b, int64_t initial)
{
    if (a == b && a != initial)
        fprintf(out, ",%s=%" PRId64, name, a);
    else if (a != b)
        fprintf(out, ",%s=%" PRId64 "x%" PRId64, name, a, b);
}

char *layer_text(const struct conv_shape *s)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        memory_exhausted();
    if (s->n != 1)
        fprintf(out, "n=%" PRId64 ",", s->n);
    fprintf(out, "c=%" PRId64 ",h=%" PRId64 ",w=%" PRId64 ",k=%" PRId64 ",r=%" PRId64 ",s=%" PRId64,
            s->c, s->h, s->w, s->k, s->r, s->s);
    print_pair(out, "stride", s->stride_h, s->stride_w, 1);
    if (s->pad_top == s->pad_bottom && s->pad_left == s->pad_right)
        print_pair(out, "pad", s->pad_top, s->pad_left, 0);
    else
        fprintf(out, ",pad=%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64, s->pad_top, s->pad_bottom,
                s->pad_left, s->pad_right);
    print_pair(out, "dilation", s->dilation_h, s->dilation_w, 1);
    if (s->groups != 1)
        fprintf(out, ",groups=%" PRId64, s->groups);
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
}

void layer_list_add(struct layer_list *list, const char *name, const struct conv_shape *shape)
{
    list->layer = memory_grow(list->layer, &list->capacity, list->count + 1, sizeof *list->layer);
    list->layer[list->count++] = (struct layer){memory_strdup(name), *shape};
}

/* One line, its end cut off.  */
static bool read_line(struct layer_list *list, char *line, struct error *error)
{
    const char *blanks = " \t\r\n";
    struct conv_shape shape;
    char *name, *text;

    line[strcspn(line, "#")] = '\0';
    name = strtok_r(line, blanks, &text);
    if (name == NULL)
        return true;
    text = strtok_r(NULL, blanks, &text);
    if (text == NULL)
        return error_set(error, "expected a name and a layer");
    if (!layer_parse(text, &shape, error))
        return false;
    layer_list_add(list, name, &shape);
    return true;
}

bool layer_list_read(struct layer_list *list, FILE *in, const char *path, struct error *error)
{
    char *line = NULL;
    size_t size = 0;
    bool good = true;

    for (int number = 1; good && getline(&line, &size, in) >= 0; number++) {
        good = read_line(list, line, error);
        if (!good)
            error_prefix(error, "%s:%d", path, number);
    }
    free(line);
    if (good && ferror(in))
        return error_set(error, "%s: can't be read", path);
    return good;
}

void layer_list_free(struct layer_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->layer[i].name);
    free(list->layer);
    memset(list, 0, sizeof *list);
}

typedef unsigned __int128 wide;

/* The sum of floor((a i + b) / m) for i from 0 to n - 1, as Euclid's algorithm goes.  */
static wide floor_sum(wide n, wide m, wide a, wide b)
{
    wide sum = 0;

    while (n > 0) {
        wide top, divisor = m;

        sum += (n - 1) * n / 2 * (a / m) + n * (b / m);
        a %= m;
        b %= m;
        top = a * n + b;
        n = top / m;
        b = top % m;
        m = a;
        a = divisor;
    }
    return sum;
}

/* How many pairs of an output and a tap read at no more than LAST, counted from the padding's
 * first.  */
static wide reads_up_to(const struct axis *axis, int64_t outputs, int64_t last)
{
    const int64_t beyond = last - (outputs - 1) * axis->stride;
    int64_t taps, all, some;

    if (last < 0)
        return 0;
    taps = min64(axis->taps, last / axis->dilation + 1);
    all =
        beyond < 0 ? 0 : min64(taps, beyond / axis->dilation + 1); /* by which every output does */
    some = taps - all;
    return (wide)all * (wide)outputs + (wide)some +
           floor_sum((wide)some, (wide)axis->stride, (wide)axis->dilation,
                     (wide)(last - (taps - 1) * axis->dilation));
}

static double axis_share(const struct axis *axis, int64_t outputs)
{
    const wide hits = reads_up_to(axis, outputs, axis->pad + axis->length - 1) -
                      reads_up_to(axis, outputs, axis->pad - 1);

    return (double)hits / ((double)outputs * (double)axis->taps);
}

double layer_tap_share(const struct conv_shape *shape)
{
    const struct axis vertical = {shape->h, shape->pad_top, shape->stride_h, shape->dilation_h,
                                  shape->r};
    const struct axis horizontal = {shape->w, shape->pad_left, shape->stride_w, shape->dilation_w,
                                    shape->s};

    return axis_share(&vertical, conv_shape_out_h(shape)) *
           axis_share(&horizontal, conv_shape_out_w(shape));
}
