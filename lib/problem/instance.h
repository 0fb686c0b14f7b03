/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic storage allocation problem: buffers with sizes and lifetimes.
 *
 * Lifetimes are half-open intervals of steps [begin, end); sizes and offsets
 * are bytes.  A buffer covers one piece or several: a piece (begin, end, lo,
 * hi) says that the bytes [offset + lo, offset + hi) are in use during the
 * steps [begin, end).  The usual buffer is one rectangle with lo = 0 and
 * hi = size.
 *
 * An instance is filled with instance_add*, then sealed; a sealed instance is
 * immutable, checked, and knows its load and width.
 *
 * Who meets whom is a matter of its axis, where times are renumbered 0, 1, ...:
 * only those are kept at which some piece begins.  Two lifetimes overlap exactly
 * if the later one of their two begins lies in both, so nothing is lost.  Planners
 * ask the axis, and look at begins and ends for what they order by alone.  */
#ifndef ARENABENCH_LIB_PROBLEM_INSTANCE_H
#define ARENABENCH_LIB_PROBLEM_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct loop_layout;
struct origin;

struct piece {
    int64_t begin, end; /* steps */
    int64_t lo, hi;     /* bytes, relative to the buffer's offset */
    bool tensor;        /* was a tensor of its own: offset + lo is aligned, as offset is */
};

/* A link of an overwrite chain: at STEP, the last step of piece OF, piece BY
 * begins on top of it, OFFSET bytes from its start: an operator writes its
 * result over its input or a part of it.  The step that the two share counts
 * once.  A piece overwrites at most one piece and is overwritten by at most one.  */
struct overwrite {
    size_t by, of; /* indices in instance.piece, both of one buffer */
    int64_t offset, step;
};

struct buffer {
    const char *id;       /* owned by the instance; unique */
    int64_t size;         /* bytes, above 0: the largest hi of its pieces, or more */
    int64_t alignment;    /* at least 1; any number, not only powers of two */
    uint32_t first;       /* its steps on the instance's axis, both inclusive: */
    uint32_t last;        /* filled in by instance_seal */
    int64_t begin, end;   /* the hull of its pieces' lifetimes */
    uint32_t first_piece; /* index in instance.piece */
    uint32_t pieces;      /* at least 1 */
    int64_t fixed;        /* bytes: the offset that somebody else chose (instance_fix); -1: none */
    int64_t reads;        /* bytes over its life, for several memories (memories/traffic.h); */
    int64_t writes;       /* -1: not said */
    uint32_t memories;    /* those that it may lie in, bits of instance.memory; 0: all */
};

/* A step at which a buffer is written, or else read (memories/accesses.h).  */
struct buffer_access {
    size_t buffer;
    int64_t step;
    bool writes;
};

/* Memories that buffers may name, at most.  */
#define INSTANCE_MEMORIES 32

/* A buffer of size 0 takes no part: it is only remembered for plans.  */
struct empty_buffer {
    const char *id;
    int64_t begin, end;
};

struct instance {
    char *name;
    size_t n; /* buffers */
    struct buffer *buffer;
    size_t pieces;
    struct piece *piece; /* those of one buffer stand together, in the order given */
    size_t *number;      /* of each piece, in the order of its file; NULL: as they stand here */
    size_t n_overwrites;
    struct overwrite *overwrite; /* by ascending BY once sealed */
    size_t n_empty;
    struct empty_buffer *empty;
    size_t n_memories; /* that buffers name (instance_allow); copies have none */
    char *memory[INSTANCE_MEMORIES];
    size_t n_accesses; /* of those buffers whose accesses are said; copies have none */
    struct buffer_access *access;

    /* Filled in by instance_seal.  */
    size_t steps;          /* of its axis */
    int64_t load;          /* largest sum of bytes in use at one step, or end of a fixed buffer */
    int64_t width;         /* largest number of buffers alive at one step */
    int64_t max_size;      /* largest size */
    int64_t max_alignment; /* largest alignment, 1 when there is no buffer */
    int64_t total;         /* sum of the sizes */
    bool shapes;           /* some buffer is not its bounding rectangle */
    size_t fixed;          /* buffers whose offset is fixed */

    /* Its steps are sets of buffers that conflict, which are no times where these are pairs
     * (conflicts.h): to join the pieces of a buffer would be to forget them.  */
    bool pairs;
    bool nameless; /* all ids are "", and need not be unique; set before buffers are added */

    /* Where it came from, of which it knows no more than how to free it: a network
     * (lib/lifetimes/origin.h) or one with loops (lib/lifetimes/loops.h), never both;
     * NULL: none.  */
    struct origin *origin;
    void (*origin_free)(struct origin *origin);
    struct loop_layout *loops;
    void (*loops_free)(struct loop_layout *loops);

    struct instance_store *store; /* private */
};

/* An empty, unsealed instance.  The caller frees it with instance_free, which
 * accepts NULL.  */
struct instance *instance_new(const char *name);
void instance_free(struct instance *instance);

/* Adds a buffer of one rectangular piece; copies ID.  Size 0 makes an empty
 * buffer.  Nothing is checked before instance_seal.  Returns the buffer's
 * index, or SIZE_MAX for an empty one.  */
size_t instance_add(struct instance *instance, const char *id, int64_t begin, int64_t end,
                    int64_t size, int64_t alignment);

/* Adds a buffer of COUNT pieces, which are copied; COUNT and sizes above 0.  Its
 * size is the largest hi; the caller may raise it.  */
size_t instance_add_pieces(struct instance *instance, const char *id, const struct piece *piece,
                           size_t count, int64_t alignment);

/* Says that BUFFER lies at OFFSET bytes whatever else is planned: somebody else has placed it.
 * Its alignment is 1 from now on, as there is nothing left to align.  A plan with another offset
 * is refused, and the load is no lower than the buffer's end.  instance_seal checks that the
 * offset is no less than 0 and that no two such buffers overlap.  */
void instance_fix(struct instance *instance, size_t buffer, int64_t offset);

/* Says that BUFFER may lie in the memory NAME, and so in those alone that this says.  False when
 * there are more than INSTANCE_MEMORIES names.  */
bool instance_allow(struct instance *instance, size_t buffer, const char *name);

/* Says that BUFFER is written or read at STEP, one of its life.  Those of one buffer come in the
 * order of their steps, the buffers in theirs; the first one of a buffer, at its first step, writes
 * it.  */
void instance_add_access(struct instance *instance, size_t buffer, int64_t step, bool writes);

/* Says that piece BY overwrites piece OF of the same buffer (indices in
 * instance.piece).  instance_seal checks that it can.  */
void instance_add_overwrite(struct instance *instance, size_t by, size_t of);

/* Says in which order the file had the pieces, all of which were added: ascending NUMBER,
 * which is copied.  A planner that takes pieces as its source does may ask for it.  Of
 * links that begin at one step the one that is overwritten comes first.  */
void instance_number_pieces(struct instance *instance, const size_t *number);

/* What can be wrong with an instance, and with which of its rows.  */
struct instance_fault {
    bool empty;   /* INDEX counts the empty buffers */
    size_t index; /* the buffer; SIZE_MAX: the instance as a whole */
    size_t other; /* whose id it repeats, the empty ones counted after the others; SIZE_MAX: none */
    size_t below; /* the other of two fixed buffers that overlap; SIZE_MAX: none */
};

/* Checks everything (non-empty lifetimes, positive sizes and alignments,
 * unique ids, fixed offsets, sums that fit, so that n placements on top of one another, and of
 * the highest fixed buffer, with any padding still fit in int64_t, and so do differences of times)
 * and computes load, width and the rest.
 * On failure the message says what is wrong; FAULT, when not NULL, says with
 * which buffer.  */
bool instance_seal(struct instance *instance, struct instance_fault *fault, struct error *error);

/* The instance in which every buffer is its bounding rectangle; a copy that
 * the caller frees.  Same ids, same order and fixed offsets, no origin.  A plan for it is a
 * plan for INSTANCE; a bound for it is not a bound for INSTANCE.  NULL where there is none, as the
 * rectangles of two fixed buffers overlap.  */
struct instance *instance_joined(const struct instance *instance);

/* The instance in which every piece is as high as its buffer; else as instance_joined.  */
struct instance *instance_joined_in_bytes(const struct instance *instance);

/* The instance in which every buffer is its bounding rectangle with its size rounded
 * up to a multiple of SIZE and its alignment raised to a multiple of OFFSET (bytes; 0 and 1:
 * as it is).  Fixed buffers stay as they are.  Same ids and order.  A plan for it is a plan
 * for INSTANCE, with a peak no higher; a bound for it is not a bound for INSTANCE.  NULL with a
 * message when sums overflow, or rectangles of fixed buffers overlap.  The caller frees it.  */
struct instance *instance_rounded(const struct instance *instance, int64_t size, int64_t offset,
                                  struct error *error);

/* A copy that keeps buffers KEEP[0..count) in that order; no origin.  Sealed.  */
struct instance *instance_subset(const struct instance *instance, const size_t *keep, size_t count);

static inline bool buffers_overlap_in_time(const struct buffer *a, const struct buffer *b)
{
    return a->begin < b->end && b->begin < a->end;
}

/* Whether two buffers of a sealed instance can't lie at the same bytes: whether they share a step
 * of its axis.  */
static inline bool buffers_conflict(const struct buffer *a, const struct buffer *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* Asks memory for what placing BUFFER reads of it: a million buffers that are placed in an order
 * that has nothing to do with how they stand would mostly wait for that.  */
static inline void buffer_fetch(const struct buffer *buffer)
{
    __builtin_prefetch(&buffer->size);
    __builtin_prefetch(&buffer->last);
}

/* end - begin: times are any 64-bit numbers, so it needs the unsigned range.  */
static inline uint64_t lifetime_length(const struct buffer *buffer)
{
    return (uint64_t)buffer->end - (uint64_t)buffer->begin;
}

/* A checksum (FNV-1a, 64 bits) of all that matters for planning: lifetimes,
 * sizes, alignments, pieces, fixed offsets and ids, in order.  */
uint64_t instance_checksum(const struct instance *instance);

/* The steps of each piece of the axis, both inclusive.  O(pieces log pieces).  */
void instance_piece_steps(const struct instance *instance, uint32_t *first, uint32_t *last);

/* COUNT[b] = the buffers that buffer b conflicts with.  The caller frees it.  O(n).  */
size_t *instance_conflicts(const struct instance *instance);

/* The number of pairs of buffers that conflict: the measure of how hard an exact model is.
 * O(n).  */
int64_t instance_overlapping_pairs(const struct instance *instance);

/* Turns TEXT into an id: characters outside [A-Za-z0-9_.:/-] become '_'.  The
 * caller frees it.  Uniqueness is instance_make_ids_unique's job.  */
char *instance_clean_id(const char *text);

/* Makes ids unique before sealing by adding suffixes "_2", "_3", ... to the
 * later ones of equal ids, skipping what is taken.  */
void instance_make_ids_unique(struct instance *instance);

#endif
