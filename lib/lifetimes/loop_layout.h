/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the values of a network with loops lie in every iteration: what the
 * files of lib/lifetimes/loop*.c share.
 *
 * A frame is one place at which a network or a body stands in the flat time
 * line: frame 0 is the network itself, and each copy of a body in which a loop
 * or a branch stands has frames of its own for its bodies.  A tensor is memory
 * for one value in one copy; tensors of one group share a buffer.  */
#ifndef ARENABENCH_LIB_LIFETIMES_LOOP_LAYOUT_H
#define ARENABENCH_LIB_LIFETIMES_LOOP_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/counting.h"
#include "lib/lifetimes/loops.h"

struct nest;
struct piece;
struct schedule;

/* How the place of a value is found.  */
enum place {
    PLACE_NONE,    /* no memory of the plan: nothing there, or it does not count */
    PLACE_OWN,     /* a tensor of its own in every copy */
    PLACE_STATIC,  /* one tensor, the same always: inputs of the network, weights */
    PLACE_SLOT,    /* a carried value that is copied: one tensor for all copies */
    PLACE_HOME,    /* made where it leaves to: a slice of a stack, the output of a branch */
    PLACE_CAPTURE, /* a value of the parent */
    PLACE_SLICE,   /* a slice of a value of the parent */
    PLACE_CARRIED, /* wherever the next value was in the iteration before */
};

/* A place in memory in iteration t: byte offset + stride * t of a tensor, or of
 * a value of the parent as that one stands in its own iteration.  */
struct loop_region {
    enum { REGION_NONE, REGION_TENSOR, REGION_PARENT } kind;
    size_t base; /* tensor, or value of the parent */
    int64_t offset, stride;
};

/* A multi-view tensor: iteration t < first has region[t], the others have
 * region[first + t % repeat].  With first = 0 it is of the document's type I,
 * with first = 1 of its type II.  */
struct loop_view {
    size_t first, repeat;
    struct loop_region *region;
};

/* Values that one copy step moves.  */
struct loop_move {
    size_t from; /* value of the body; NETWORK_NONE: the spare tensor */
    size_t to;   /* a carried value that is copied; NETWORK_NONE: the spare tensor */
};

struct loop_frame {
    size_t parent, parent_copy; /* SIZE_MAX: none */
    size_t op;                  /* of the parent's network */
    size_t twin;                /* the first frame of the same body: stored values are its */
    const struct network *network;
    const struct control *control; /* NULL for frame 0, and so is the body */
    const struct body *body;
    int64_t trips; /* iterations, 1 for the network and for branches */
    size_t copies; /* of the body, at most as many as iterations */
    char *path;    /* what stands before the names of its values: "" or "loop/" */
    size_t depth;  /* iterations that a value is carried before it is read, at most */

    /* Of each value.  */
    size_t *root; /* the value whose memory it shares: itself unless it is a pure alias */
    enum place *place;
    const struct body_input **input; /* how it enters, or NULL */
    const struct body_output **home; /* PLACE_HOME: the output that it leaves as */
    bool *cyclic;                    /* carried values that only ever hold initial values */
    struct loop_view *view;

    /* Copy steps of every iteration.  */
    size_t moves, gathers, leaving;
    struct loop_move *move;           /* carried values, in this order, at the end; not after the
                                         last iteration */
    const struct body_input **gather; /* slices that are not contiguous, at the beginning */
    const struct body_output **leave; /* what is copied to where it leaves, at the end */
    size_t spare;                     /* tensor that breaks cycles of moves, SIZE_MAX: none */

    /* Steps.  Copy c has [first + c * period, first + (c + 1) * period).  */
    int64_t entry, first, period, exit;
    bool head, turn; /* the first and the last step of a copy only copy */
    size_t *order;   /* operators as they run */
    int64_t *step;   /* [copy * operators + operator]; that of a control is its entry */
    size_t *child;   /* the same: first of the frames of a control's bodies, SIZE_MAX: none */
    size_t *tensor;  /* [copy * values + value], SIZE_MAX: none; slots and statics: copy 0's */
};

/* Steps during which a tensor is in use.  */
struct loop_span {
    int64_t begin, end;
    size_t wrap; /* frame around whose end the value is carried; the span is the part after its
                    beginning.  SIZE_MAX: none */
    size_t
        entry; /* frame that reads it as the initial value of carried value TAG; SIZE_MAX: none */
    size_t tag;
    bool leaves; /* it is only kept to be copied when its loop is left */
};

struct loop_tensor {
    char *id;
    int64_t size;
    size_t owner; /* frame */
    bool stored;  /* a weight: there for the whole run */
    size_t spans, capacity;
    struct loop_span *span;
    size_t next;    /* member of its group, SIZE_MAX: none */
    size_t group;   /* tensor, itself for the first of a group: whose buffer it has */
    size_t block;   /* tensor that it is a part of, SIZE_MAX: none (firsts of groups) */
    int64_t offset; /* within that */
    size_t buffer;  /* of the instance (firsts of groups that are in no block) */
};

struct loop_layout {
    struct network *network;
    struct loop_options options;
    struct lifetime_options lifetimes;
    size_t frames, frames_capacity;
    struct loop_frame *frame;
    size_t tensors, tensors_capacity;
    struct loop_tensor *tensor;
    int64_t steps;
    struct loop_copies copies;
    struct nest *nest; /* NULL: sub-graphs are not planned apart */
};

/* --- loop_carry.c: what of a loop is copied, and how often it is unrolled --- */

/* Where following the next values of a carried value leads.  */
struct loop_chain {
    size_t depth; /* iterations back to the one in which BASE was made */
    size_t base;  /* value that is not found through another carried one, NETWORK_NONE: a cycle */
    size_t cycle; /* length of the cycle that it leads to, 0: none */
};

struct loop_chain loop_chain_of(const struct loop_frame *frame, size_t value);

/* Decides FRAME's copies, which values are copied at the turn, and the order
 * of these moves.  Places of all other values are known.  False when the
 * factor is out of bounds.  */
bool loop_decide(struct loop_frame *frame, const struct loop_options *options, struct error *error);

/* --- loop_places.c: how the place of a value is found --- */

/* Whether output VALUE of an operator needs any memory anywhere.  */
bool loop_output_counts(const struct value *value);

/* Fills in root, place, input, home, and what is copied other than carried
 * values.  FRAME's parent has been through it.  */
void loop_find_places(const struct loop_layout *layout, struct loop_frame *frame);

/* --- loop_frames.c: frames, steps and tensors --- */

bool loop_build_frames(struct loop_layout *layout, const struct schedule *schedule,
                       struct error *error);

/* The step at which copy C of FRAME begins, and its last one.  */
static inline int64_t loop_copy_begin(const struct loop_frame *frame, size_t c)
{
    return frame->first + (int64_t)c * frame->period;
}

static inline int64_t loop_copy_last(const struct loop_frame *frame, size_t c)
{
    return loop_copy_begin(frame, c + 1) - 1;
}

/* Adds a tensor that nothing uses yet; takes over ID.  */
size_t loop_add_tensor(struct loop_layout *layout, size_t owner, char *id, int64_t size);

/* The first tensor of the group of TENSOR.  */
size_t loop_group(const struct loop_layout *layout, size_t tensor);

/* --- loop_views.c: multi-view tensors --- */

/* Where VALUE is in iteration T.  */
struct loop_region loop_region_at(const struct loop_layout *layout, const struct loop_frame *frame,
                                  size_t value, int64_t t);
void loop_build_views(struct loop_layout *layout); /* after all sharing */

/* REGION of FRAME without the way over the parent, where that leads to one tensor
 * for as long as FRAME runs.  */
struct loop_region loop_straight(const struct loop_layout *layout, const struct loop_frame *frame,
                                 struct loop_region region);

/* A slice or a stack along AXIS of WHOLE: bytes of a slice's contiguous
 * stretches, and how many of these there are.  */
struct loop_slices {
    int64_t stretch, stretches;
};
struct loop_slices loop_slices_of(const struct value *whole, int axis);

/* The number of the slice of iteration T.  */
static inline int64_t loop_slice_number(int64_t t, int64_t trips, bool reverse)
{
    return reverse ? trips - 1 - t : t;
}

/* --- loop_spans.c: when tensors are in use --- */

void loop_find_spans(struct loop_layout *layout);

/* TENSOR is in use during [BEGIN, END).  */
void loop_hold(struct loop_layout *layout, size_t tensor, int64_t begin, int64_t end);

/* The steps during which some member of the group of TENSOR is in use, as pieces of the
 * whole size, ascending, with idle steps between them.  Returns their number;
 * the caller frees *PIECE.  */
size_t loop_group_pieces(const struct loop_layout *layout, size_t tensor, struct piece **piece);

/* --- loop_share.c: initial and final values in the loop's own memory --- */

void loop_share(struct loop_layout *layout);

/* Whether OUTPUT, a last value, already is where the parent of FRAME has it, so
 * that nothing is copied when the loop is left.  */
bool loop_stays(const struct loop_layout *layout, const struct loop_frame *frame,
                const struct body_output *output);

/* --- loop_blocks.c: a loop's memory as one buffer --- */

/* Lays out the tensors of each loop and makes them parts of a tensor of the
 * frame around it.  False when sizes add up to more than fits.  */
bool loop_make_blocks(struct loop_layout *layout, struct error *error);

/* --- loop_nest.c: which buffers belong to which loop --- */

/* Of the BUFFERS buffers that the tensors' groups have become.  The caller frees it.  */
struct nest *loop_nest(const struct loop_layout *layout, size_t buffers);

/* --- loops.c --- */

/* The buffer in which TENSOR lies, and its first byte in it.  */
size_t loop_buffer_of(const struct loop_layout *layout, size_t tensor, int64_t *offset);

#endif
