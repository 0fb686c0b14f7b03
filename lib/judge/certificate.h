/* Certificates: why no plan of an instance has a peak of CAPACITY or less, as a text that a
 * simple program can check line by line.
 *
 *     arenabench certificate 1
 *     instance 06e1c9b1bd4e2e52        instance_checksum
 *     capacity 4                       bytes
 *     above 0 2 -1 3
 *     branch 0 1 -2 2
 *     path
 *     overload 3 0 4
 *     end
 *
 * Buffers are numbered from 0 in the instance's order, x is a buffer's offset, and
 * d = x_B - x_A.  What is known of a plan of at most CAPACITY at any line: 0 <= x <=
 * capacity - size, the differences of the lines around, and what follows from both, each
 * offset being aligned: least and latest offsets, found by longest paths.
 *
 *   branch A B LOW HIGH    Pieces of A and B forbid LOW < d < HIGH, so every plan has d <= LOW,
 *                          which the next lines refute, or d >= HIGH, which the lines after
 *                          them refute.
 *   below A B LOW HIGH     The same, but d >= HIGH contradicts what is known already: d <= LOW.
 *   above A B LOW HIGH     d <= LOW contradicts what is known already: d >= HIGH.
 *   path                   What is known contradicts itself: this case is refuted.
 *   overload STEP LEAST MOST   At STEP, the bytes of buffers that cannot start below LEAST nor
 *                          end above MOST are more than MOST - LEAST: refuted.
 *   end                    All cases are refuted.
 *
 * The checker knows the rules above and nothing of any solver.  */
#ifndef ARENABENCH_LIB_JUDGE_CERTIFICATE_H
#define ARENABENCH_LIB_JUDGE_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

#define CERTIFICATE_TITLE "arenabench certificate 1"

struct certificate {
    int64_t capacity; /* no plan has a peak of this or less */
    size_t cases;     /* that were refuted */
};

/* Reads and checks the whole certificate.  False with the place and the reason where it
 * is not one of INSTANCE, or proves nothing.  PATH is for messages.  */
bool certificate_check(FILE *in, const char *path, const struct instance *instance,
                       struct certificate *certificate, struct error *error);

#endif
