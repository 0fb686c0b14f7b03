/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates: why no plan of an instance has a peak of a capacity or less, as a text that a
 * simple program checks line by line.  What a search learned stands there as nogoods, each
 * with the steps that prove it, so that decisions and restarts need no lines.
 *
 *     arenabench certificate 2
 *     instance 06e1c9b1bd4e2e52        instance_checksum
 *     capacity 4                       bytes
 *     steps 0 5                        only buffers that live within [0, 5) are looked at
 *     unit 1                           bytes; all numbers below count in units
 *     fixed 5 2
 *     twins 3 4
 *     nogood
 *     if 1 2 2
 *     sum 0 1 2
 *     overload 2 2 4
 *     learned
 *     use 1
 *     ...
 *     end 9a3cbf0e1d2c4b5a             CHECKSUM_START and all bytes before this line
 *
 * Buffers are numbered from 1 in the instance's order, x is a buffer's offset in units, and 0
 * stands for the bottom of the arena: x_0 = 0.  A *stretch* K LO HI is the bytes [x_K + LO,
 * x_K + HI) of buffer K, which it uses at the step named.  UNIT divides all sizes, pieces and fixed
 * offsets that are named, and divides each alignment or is a multiple of it: then a plan whose
 * offsets are rounded down to multiples of UNIT is a plan, so only these are looked at.
 *
 * What is known is a list of bounds x_B - x_A >= T, one for each ordered pair of buffers that are
 * alive together, or a buffer and 0.  At first x_B - x_0 >= 0, x_0 - x_B >= size - capacity,
 * x_B - x_A >= -capacity.  Offsets are rounded to their alignment, and a bound that lies in what
 * the pieces of two buffers forbid of their difference moves to the end of that.  Two bounds
 * contradict each other where x_B - x_A >= T and x_A - x_B > -T.  What a line says must follow:
 *
 *   sum A B C             x_C - x_A is what is known of x_B - x_A and of x_C - x_B, added up.
 *   cycle A B ... Z       What is known of x_B - x_A, ..., x_A - x_Z is more than 0 together: a
 *                         contradiction.
 *   overload S LOW HIGH   At step S, bytes that lie between LOW and HIGH whatever is open are more
 *                         than HIGH - LOW: a contradiction.
 *   above S LOW HIGH K LO HI I LO HI
 *                         At step S, stretch K, which starts at LOW or later, and the other bytes
 *                         that lie between LOW and HIGH are more than HIGH - LOW; stretch I is
 *                         among these.  So K can't be below I, and is above it.
 *   pile S LOW K LO HI    Bytes that lie at LOW or above, of stretches known to be below K, are
 *                         counted: K starts at LOW and as many more, or later.  There have to be
 *                         some.
 *   not-low S LOW HIGH K LO HI
 *                         K can't be below all stretches that end at LOW or above, as those bytes
 *                         of them that lie below HIGH and K, stacked on the start of K, end above
 *                         HIGH, and there are some.  So K is above one of them, and starts at LOW
 *                         or later.
 *   below, hang, not-high The same three upside down: K lies below I; hangs below stretches known
 *                         to be above it whose bytes lie at HIGH or below (hang S HIGH K LO HI);
 *                         ends at HIGH or earlier, as it is not above all that start at HIGH or
 *                         earlier (LOW is below the bytes that are counted).
 *   use N                 All literals of nogood N hold but one, whose negation follows, or none.
 *   nogood                What follows up to `learned` is under conditions,
 *   if A B T              which are x_B - x_A >= T.
 *   learned               They contradict what is known, as has been shown: nogood 1, 2, ...; what
 *                         was known before is known again.  From a single condition its negation
 *                         follows.
 *   forget N              Nogood N is not used any more.
 *   fixed B F             The instance has buffer B fixed at F: x_B - x_0 >= F, x_0 - x_B >= -F.
 *                         What has no such line may lie anywhere.
 *   twins A B             A and B > A are the same but for their offsets, neither of which the
 *                         instance fixes: x_B - x_A >= 0, as the twins of a plan can be put in
 *                         order.
 *   mirror A B            All buffers are the same upside down, without alignments and fixed
 *                         offsets, and A and B have no twins that are named: a plan or the same
 *                         upside down has x_B - x_A >= (size A - size B) / 2.  Once; twins stand
 *                         before it, and these three before all other lines.
 *   end CHECKSUM          There is a contradiction without any condition: all is refuted.
 *
 * The checker knows these rules and nothing of any solver.  Its memory is linear in the pairs of
 * buffers that are alive together and in the nogoods that are not forgotten.  */
#ifndef ARENABENCH_LIB_JUDGE_CERTIFICATE_H
#define ARENABENCH_LIB_JUDGE_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

#define CERTIFICATE_TITLE "arenabench certificate 2"

struct certificate {
    int64_t capacity; /* no plan has a peak of this or less; bytes */
    size_t steps;     /* lines that say what follows */
    size_t nogoods;   /* that were learned */
    size_t most;      /* nogoods at a time */
    size_t bytes;     /* of the text */
};

/* Reads and checks the whole certificate.  False with the place and the reason where it
 * is not one of INSTANCE, or proves nothing.  PATH is for messages.  */
bool certificate_check(FILE *in, const char *path, const struct instance *instance,
                       struct certificate *certificate, struct error *error);

#endif
