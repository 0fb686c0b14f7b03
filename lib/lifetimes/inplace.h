/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which values of a network share memory: pure aliases, views, overwrites, and
 * concatenations into place.
 *
 * Values that share by being the same bytes (pure aliases with alias=on; other
 * views, where a rule is chosen) are one chunk, alive for the hull of their
 * lifetimes.  A chunk may overwrite another one or a part of it, and a chunk
 * may lie in the chunk of the concatenation that it is a part of.  What is
 * joined in these two ways has one offset: it is one buffer, and each chunk is
 * one of its pieces.
 *
 * inplace=megengine, as its memory planner does it (the article; seq_mem_opt.cpp,
 * static_mem_alloc/impl.cpp): operators in the order in which they run; each
 * output that may overwrite an input of its operator wishes to, input by input, those of a
 * sum, a product and what else commutes in the order in which they were made (AddInputSortType
 * of Elemwise); lib/lifetimes/overwrite.h grants it.  Of batch normalisation only the running
 * statistics are forwarded (mem_plan_fwd_in2out_writable of BatchNormForward), not the feature map,
 * and softmax forwards nothing.
 *
 * inplace=nnc, as ccv's compiler folds tensors since its commit 29fd58c0 of 2022
 * (ccv_nnc_symbolic_graph_compile.c, and allow_inplace of each command): operators in
 * file order; an output is folded into an input of its own dimensions if the operator is
 * the last reader of all that shares the input's memory, in every order that the graph
 * allows.  Folding goes over aliases: the dimensions that count are those of the view that
 * is read, not of what it is a view of, and the output lies where the view does.  Which
 * input may be taken is the command's: any of a sum of equal shapes (EWSUM), else (ADD and
 * MUL, activations, softmax) the one in the output's slot; none of a batch normalisation,
 * which works in place on its statistics alone.
 *
 * Both leave alone what does not count (the arena does not hold it), what is
 * stored, and network outputs, which nobody may overwrite; in a schedule where
 * operators share steps an overwriter has to be its step's only user of what it
 * overwrites.  An input that shares only some bytes with another input of the
 * operator is left alone.
 *
 * concat=place, which is ours: going through concatenations from the last to
 * the first, each part that is one stretch of the whole lies there from its
 * birth on, unless it lies in a later one, is overwritten, is part of a larger
 * buffer, or is still read when the whole is overwritten.  Nothing but
 * intermediates is placed.  */
#ifndef ARENABENCH_LIB_LIFETIMES_INPLACE_H
#define ARENABENCH_LIB_LIFETIMES_INPLACE_H

#include "lib/lifetimes/counting.h"
#include "lib/lifetimes/inplace_rules.h"

/* Both have been checked.  The caller clears PLACES.  */
void places_find(struct places *places, const struct network *network,
                 const struct schedule *schedule, const struct lifetime_options *options);
void places_clear(struct places *places);

#endif
