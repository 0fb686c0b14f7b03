/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operator fusion, as inference runtimes do it before they plan memory.  */
#ifndef ARENABENCH_LIB_GRAPH_FUSE_H
#define ARENABENCH_LIB_GRAPH_FUSE_H

struct network;

enum fuse {
    FUSE_NONE,
    FUSE_BN, /* batch normalisations */
    FUSE_ALL /* and activations */
};

/* FUSE_BN folds each batch normalisation
 *   - into the convolution or fully connected layer that makes its input, if
 *     nothing else reads that input: its four parameters a channel become one
 *     bias (the existing one, if the layer has one);
 *   - else into the activation that is the only reader of its output
 *     (pre-activation networks): one operator, still a normalisation;
 *   - else not at all.
 * FUSE_ALL then fuses each remaining activation into the operator that makes
 * its input, if that has one output, which nothing else reads, is no pure
 * alias, and has no fused activation already.
 *
 * A value that is a network output is never fused away.  The fused operator
 * has the name and the place in file order of the first of its parts, its
 * value too has the name of the first one's.  Takes over NETWORK, which has
 * passed network_check, and returns the fused one.  */
struct network *network_fuse(struct network *network, enum fuse fuse);

#endif
