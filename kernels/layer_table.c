/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/layer_table.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/csv.h"

enum column { C, H, W, K, R, S, STRIDE_H, STRIDE_W, PAD_H, PAD_W, DILATION_H, DILATION_W, GROUPS };
enum { COLUMNS = GROUPS + 1 };

#define EXPECTED_HEADER "c,h,w,k,r,s,stride_h,stride_w,pad_h,pad_w,dilation_h,dilation_w,groups"

static const char *const names[COLUMNS] = {
    [C] = "c",
    [H] = "h",
    [W] = "w",
    [K] = "k",
    [R] = "r",
    [S] = "s",
    [STRIDE_H] = "stride_h",
    [STRIDE_W] = "stride_w",
    [PAD_H] = "pad_h",
    [PAD_W] = "pad_w",
    [DILATION_H] = "dilation_h",
    [DILATION_W] = "dilation_w",
    [GROUPS] = "groups",
};

struct reading {
    struct layer_list *list;
    size_t where[COLUMNS], transposed; /* SIZE_MAX: there is no such column */
};

static bool is_cell(const struct csv *csv, size_t cell, const char *text)
{
    return csv->cell[cell].length == strlen(text) &&
           memcmp(csv->cell[cell].text, text, strlen(text)) == 0;
}

static bool is_plain(const struct csv *csv, size_t cell)
{
    return cell == SIZE_MAX || csv->cell[cell].length == 0 || is_cell(csv, cell, "False") ||
           is_cell(csv, cell, "false") || is_cell(csv, cell, "0");
}

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    int64_t value[COLUMNS];
    struct error own;
    struct conv_shape shape;
    char *text;

    for (int i = 0; i < COLUMNS; i++)
        if (!csv_int(csv, reading->where[i], names[i], i == PAD_H || i == PAD_W ? 0 : 1, &value[i],
                     error))
            return false;
    if (!is_plain(csv, reading->transposed))
        return csv_error(csv, csv->cell[reading->transposed].column, error,
                         "a transposed convolution; expected False");
    shape = (struct conv_shape){.n = 1,
                                .c = value[C],
                                .h = value[H],
                                .w = value[W],
                                .k = value[K],
                                .r = value[R],
                                .s = value[S],
                                .stride_h = value[STRIDE_H],
                                .stride_w = value[STRIDE_W],
                                .pad_top = value[PAD_H],
                                .pad_bottom = value[PAD_H],
                                .pad_left = value[PAD_W],
                                .pad_right = value[PAD_W],
                                .dilation_h = value[DILATION_H],
                                .dilation_w = value[DILATION_W],
                                .groups = value[GROUPS]};
    if (!conv_shape_check(&shape, &own))
        return csv_error(csv, csv->cell[reading->where[C]].column, error, "%s", own.text);
    text = layer_text(&shape);
    layer_list_add(reading->list, text, &shape);
    free(text);
    return true;
}

bool layer_table_read(struct layer_list *list, FILE *in, const char *path, struct error *error)
{
    struct reading reading = {.list = list, .transposed = SIZE_MAX};
    struct csv csv;
    bool good;

    if (!csv_open(&csv, in, path, error))
        return false;
    good = csv_named_header(&csv, names, COLUMNS, EXPECTED_HEADER, reading.where, error);
    for (size_t c = 0; good && c < csv.cells; c++)
        if (is_cell(&csv, c, "transposed"))
            reading.transposed = c;
    good = good && csv_rows(&csv, read_row, &reading, error);
    csv_close(&csv);
    return good;
}
