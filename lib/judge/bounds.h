/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds on peaks: the load and width of an instance, W of a network, and the
 * bounds on path-cover's peak that follow from them.
 *
 * Sources: Maeda (LeapMind), the path-cover article of 15 July 2021, for
 * peak <= width x max_size <= 2 W max_size; width <= W + 1 for serial orders
 * is ours.  The article proves it for operators with one output, none of them
 * isolated, and replaces one with several by as many side by side (lib/judge/bounds.c
 * says why that bounds the network as it was, too).  */
#ifndef ARENABENCH_LIB_JUDGE_BOUNDS_H
#define ARENABENCH_LIB_JUDGE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct network;
struct value;

/* The graph whose edges W's paths cover has one vertex for each output of an operator:
 * an operator with several outputs counts as operators side by side, each of which reads
 * all the inputs and makes one output.  A vertex is the index of that value; an operator
 * that makes none is the vertex n_values + its index.  (An unread optional output is not
 * there.)  An edge leads from a value to what its readers make, and stands once.  */
struct w_edge {
    size_t from, to;
};

/* The proof that W is what it is: W paths that cover every edge, and W edges
 * no two of which lie on one path.  */
struct w_certificate {
    int64_t w;
    size_t n_edges;
    struct w_edge *edge; /* all edges of the graph */
    size_t *antichain;   /* w indices in edge */
    size_t *path_start;  /* w + 1 offsets in path_edge */
    size_t *path_edge;   /* indices in edge, those of one path in order */
};

/* W = the fewest directed paths that together cover every edge.  0 without
 * edges.  False when the flow solver fails.  CERTIFICATE may be NULL; else
 * the caller frees it with w_certificate_clear.  */
bool bounds_w(const struct network *network, int64_t *w, struct w_certificate *certificate,
              struct error *error);
void w_certificate_clear(struct w_certificate *certificate);

/* Whether VALUE, an operator's output, is there: all but optional outputs that nobody reads.  */
bool bounds_takes_part(const struct value *value);

/* Checks a certificate against the network from first principles.  */
bool w_certificate_check(const struct w_certificate *certificate, const struct network *network,
                         struct error *error);

struct bounds {
    int64_t load, width, max_size, total; /* the load: no less than the end of a fixed buffer */
    size_t intermediates;                 /* buffers */
    bool has_w;                           /* the instance came from a network */
    int64_t w;
    int64_t width_bound; /* width x max_size; -1: offsets are fixed, or does not fit in 64 bits */
    int64_t w1_bound;    /* (W + 1) max_size; -1: no graph, or does not fit */
    int64_t w2_bound;    /* 2 W max_size; the same */
    bool applicable;     /* the article's conditions hold for w2_bound */
    bool w1_applicable;  /* ... and the order is serial */
    char reason[200];    /* why not */
};

/* All bounds of an instance.  width_bound is a bound for planners that know no
 * pieces: its width is that of the bounding rectangles.  In the three products max_size is rounded
 * up to a common multiple of all alignments (the largest one, where they are powers of two).  False
 * only when the flow behind W fails.  */
bool bounds_compute(const struct instance *instance, struct bounds *bounds, struct error *error);

#endif
