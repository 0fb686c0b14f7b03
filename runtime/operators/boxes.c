/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NonMaxSuppression.
 *
 * ONNX's text since version 10: of each image and class the boxes by falling scores, but for those
 * that overlap one that was taken before by more than a share of what both cover, and those whose
 * score is not above the least one.  Of equal scores the first comes first.  How many there are
 * only a run knows: where the output has room for another number, it says so (call_found).  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

struct box {
    double y[2], x[2]; /* ends, the lower one first */
};

struct candidate {
    double score;
    int64_t index;
    struct box box; /* of one that is looked at */
};

struct selection {
    int64_t batches, classes, boxes, most;
    double share, least;
    bool centred; /* boxes are centres and sizes, not corners */
    int64_t room, count;
    int64_t *chosen; /* ROOM triples: image, class, box */
};

static bool accepts(const struct call *call)
{
    const struct tensor *boxes, *scores, *out = call_output(call, 0);

    if (!accept_inputs(call, 2) || !attributes_among(call, "center_point_box") ||
        !accept_types(call, 0, 2, TYPE(DTYPE_F32) | TYPE(DTYPE_F64)) ||
        !accept_types(call, 2, 1, TYPE(DTYPE_I64)) || !accept_types(call, 3, 2, TYPES_REAL) ||
        !accept_output(call, 0, DTYPE_I64))
        return false;
    boxes = call->input[0];
    scores = call->input[1];
    if (boxes->rank != 3 || scores->rank != 3 || boxes->dim[2] != 4 ||
        boxes->dim[0] != scores->dim[0] || boxes->dim[1] != scores->dim[2])
        return error_set(call->error, "boxes and scores that do not fit");
    for (size_t i = 2; i < 5; i++)
        if (call_input(call, i) != NULL && tensor_elements(call->input[i]) != 1)
            return error_set(call->error, "input %zu is not a single number", i);
    return out == NULL || (out->rank == 2 && out->dim[1] == 3) ||
           error_set(call->error, "an output that is not a list of triples");
}

static struct box box_at(const struct call *call, bool centred, int64_t i)
{
    double n[4];

    for (int k = 0; k < 4; k++)
        n[k] = tensor_real(call->input[0], 4 * i + k);
    if (centred)
        return (struct box){{n[1] - n[3] / 2, n[1] + n[3] / 2}, {n[0] - n[2] / 2, n[0] + n[2] / 2}};
    return (struct box){{fmin(n[0], n[2]), fmax(n[0], n[2])}, {fmin(n[1], n[3]), fmax(n[1], n[3])}};
}

static double area(const struct box *box)
{
    return (box->y[1] - box->y[0]) * (box->x[1] - box->x[0]);
}

/* What two boxes share, of all that they cover.  Most are apart.  */
static double shared(const struct box *a, const struct box *b)
{
    struct box both;
    double common;

    if (!(a->y[0] < b->y[1] && b->y[0] < a->y[1] && a->x[0] < b->x[1] && b->x[0] < a->x[1]))
        return 0.0;
    both = (struct box){{fmax(a->y[0], b->y[0]), fmin(a->y[1], b->y[1])},
                        {fmax(a->x[0], b->x[0]), fmin(a->x[1], b->x[1])}};
    common = area(&both);
    return common / (area(a) + area(b) - common);
}

static int by_score(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    return ORDER(y->score, x->score) ?: ORDER(x->index, y->index);
}

/* The boxes of one image and class, in CANDIDATE with room for all.  */
static void select_boxes(const struct call *call, struct selection *s, int64_t image, int64_t class,
                         struct candidate *candidate)
{
    int64_t count = 0, taken = 0; /* what is taken moves to the front */

    for (int64_t i = 0; i < s->boxes; i++) {
        double score = tensor_real(call->input[1], (image * s->classes + class) * s->boxes + i);

        if (score > s->least)
            candidate[count++] = (struct candidate){.score = score, .index = i};
    }
    qsort(candidate, (size_t)count, sizeof *candidate, by_score);
    for (int64_t c = 0; c < count && taken < s->most; c++) {
        bool apart = true;

        candidate[c].box = box_at(call, s->centred, image * s->boxes + candidate[c].index);
        for (int64_t k = 0; k < taken && apart; k++)
            apart = shared(&candidate[c].box, &candidate[k].box) <= s->share;
        if (!apart)
            continue;
        if (s->count < s->room) {
            int64_t *triple = s->chosen + 3 * s->count;

            triple[0] = image;
            triple[1] = class;
            triple[2] = candidate[c].index;
        }
        candidate[taken++] = candidate[c];
        s->count++;
    }
}

static bool run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *scores = call->input[1];
    struct selection s = {
        .batches = scores->dim[0],
        .classes = scores->dim[1],
        .boxes = scores->dim[2],
        .most = call_input(call, 2) == NULL ? 0 : tensor_integer(call->input[2], 0),
        .share = call_input(call, 3) == NULL ? 0.0 : tensor_real(call->input[3], 0),
        .least = call_input(call, 4) == NULL ? -INFINITY : tensor_real(call->input[4], 0),
        .centred = computation_integer(call->computation, "center_point_box", 0) != 0,
    };
    struct candidate *candidate;

    if (out == NULL)
        return true;
    s.room = out->dim[0];
    s.chosen = out->data;
    candidate = memory_alloc((size_t)s.boxes, sizeof *candidate);
    for (int64_t image = 0; image < s.batches; image++)
        for (int64_t class = 0; class < s.classes; class ++)
            select_boxes(call, &s, image, class, candidate);
    free(candidate);
    return s.count == s.room || call_found(call, s.count, s.room);
}

const struct operator_rule operators_boxes[] = {
    {"NonMaxSuppression", accepts, run, 0},
    {0},
};
