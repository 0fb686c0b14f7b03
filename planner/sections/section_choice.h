/* SPDX-License-Identifier: Apache-2.0 */
/* Which section is next, for the searches on lists and on lanes (section_search.h has the words):
 * what they keep of a section differs, so they say how it looks.  In a header, so that a compiler
 * can inline what it is given.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_CHOICE_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_CHOICE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/checked.h"

/* A section with one candidate less beats any weight less than this, and so on: what is taken off
 * the number of candidates.  */
#define SECTION_CANDIDATE_OFFSET 0.9

/* A choice on the path from the root.  */
struct search_node {
    size_t mark; /* before its child was placed */
    size_t child;
    size_t from, to; /* sections of the part that the child was chosen from */
    size_t reasons;  /* that were kept before, where something is learned */
};

/* Of a section: the least start and the least end of its unplaced members, too large to matter
 * where there are none, and whether no such member is in the next section.  */
struct section_sight {
    int64_t least_start, least_end;
    bool cut;
};

/* Where a member is to be chosen, of those that start below LIMIT.  */
struct section_choice {
    size_t section;
    int64_t limit;
};

typedef struct section_sight section_see(const void *search, size_t s);
typedef double section_score(const void *search, size_t s);

/* The section with the least score among [FROM, TO), and its part in NODE; false when all there is
 * placed.  PARTS: sections that nothing joins are looked at by themselves.  */
static inline bool section_choose_in(const void *search, section_see *see, section_score *score_of,
                                     bool parts, size_t from, size_t to, struct search_node *node,
                                     struct section_choice *choice)
{
    double best_score = INFINITY;
    size_t end;

    *choice = (struct section_choice){SIZE_MAX, 0};
    for (size_t begin = from; begin < to; begin = end) {
        int64_t least_end = INT64_MAX;

        for (end = begin; end < to;) {
            struct section_sight sight = see(search, end++);

            least_end = min64(least_end, sight.least_end);
            if (sight.cut && parts)
                break;
        }
        for (size_t s = begin; s < end; s++) {
            double score;

            if (see(search, s).least_start >= least_end)
                continue;
            score = score_of(search, s);
            if (choice->section == SIZE_MAX || score < best_score) {
                *choice = (struct section_choice){s, least_end};
                best_score = score;
                node->from = begin;
                node->to = end;
            }
        }
    }
    return choice->section != SIZE_MAX;
}

/* The same for the node at DEPTH of PATH: in the part of the node above if something is left to
 * place there, else in that of the one above that, and so on.  */
static inline struct section_choice section_choose(const void *search, section_see *see,
                                                   section_score *score_of, bool parts,
                                                   size_t sections, struct search_node *path,
                                                   size_t depth)
{
    struct section_choice choice;

    if (parts)
        for (size_t above = depth; above-- > 0;)
            if (section_choose_in(search, see, score_of, parts, path[above].from, path[above].to,
                                  &path[depth], &choice))
                return choice;
    section_choose_in(search, see, score_of, parts, 0, sections, &path[depth], &choice);
    return choice;
}

#endif
