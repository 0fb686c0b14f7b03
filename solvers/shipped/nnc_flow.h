/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NNC's buffers as a flow: the tensors that lie in one are nodes, what an earlier one leaves to
 * a later one is an edge, and a tensor is inserted on an edge that is wide enough.  */
#ifndef ARENABENCH_SOLVERS_SHIPPED_NNC_FLOW_H
#define ARENABENCH_SOLVERS_SHIPPED_NNC_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hops;
struct instance;

#define NNC_SOURCE SIZE_MAX
#define NNC_SINK (SIZE_MAX - 1)
#define NNC_NOBODY (SIZE_MAX - 2)

/* Bytes from OFFSET on, within one buffer.  */
struct nnc_flow {
    int64_t bytes, offset;
};

struct nnc_edge {
    size_t to;
    struct nnc_flow flow;
};

struct nnc_node {
    int64_t size;
    size_t group; /* its buffer, from 0; NNC_NOBODY: not inserted */
    int64_t offset;
    size_t interferes; /* with how many that are not inserted */
    bool no_place;     /* no edge was found since the last new buffer that matters */
    size_t next;       /* companion that is in use next; NNC_NOBODY: none */
    bool follows;      /* it is the next one of another */
    struct nnc_flow from_source, to_sink;
    struct nnc_edge *out; /* to other nodes */
    size_t outs, capacity;
};

struct nnc {
    const struct instance *instance; /* whose buffers are the tensors */
    struct instance *stretches;      /* made for that, or NULL */
    size_t *tensor;                  /* of each buffer of the problem: its first tensor */
    struct hops *hops;
    uint64_t far; /* to the source, to the sink: more than any distance */
    struct nnc_node *node;
    size_t inserted, groups;
    struct nnc_neighbour *before, *after; /* scratch */
    struct nnc_flow *reach;               /* scratch: the flow to each node */
};

/* What is inserted together: one tensor, two in order of time, or companions, of which
 * these are the first and the last.  */
struct nnc_candidate {
    size_t first, last; /* equal: one */
    int64_t size;       /* of the larger one */
    size_t interferes;  /* sum */
    size_t single;      /* the one that was there first; the other one joined it */
};

/* An edge of the flow and how many operators it bridges.  */
struct nnc_place {
    size_t from, to; /* NNC_NOBODY: none */
    uint64_t distance;
    struct nnc_flow flow;
};

struct nnc_neighbour {
    size_t node;
    uint64_t distance;
};

/* The edge that is wide enough for CANDIDATE and bridges the fewest operators; where there is
 * none, its `from` is NNC_NOBODY.  */
struct nnc_place nnc_find_place(struct nnc *nnc, const struct nnc_candidate *candidate);

/* The same among all edges, of which the first of equal distances counts: by node that it
 * leaves, the source first, then by node that it reaches.  */
struct nnc_place nnc_find_first_place(const struct nnc *nnc, const struct nnc_candidate *candidate);

#endif
