/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/megengine/dump.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/lifetimes/overwrite.h"
#include "lib/problem/instance.h"

/* --- numbers --- */

struct scanner {
    const char *text, *path;
    size_t length, at;
    size_t line, line_start;           /* of `at`: line from 1, index of its first byte */
    size_t number_line, number_column; /* of the last number */
    struct error *error;
};

static void skip_blanks(struct scanner *in)
{
    for (; in->at < in->length; in->at++) {
        char byte = in->text[in->at];

        if (byte == '\n') {
            in->line++;
            in->line_start = in->at + 1;
        } else if (byte != ' ' && byte != '\t' && byte != '\r') {
            return;
        }
    }
}

static bool fail_at(const struct scanner *in, size_t line, size_t column, const char *problem)
{
    return error_set(in->error, "%s:%zu:%zu: %s", in->path, line, column, problem);
}

/* At the last number that was read.  */
static bool fail(const struct scanner *in, const char *problem)
{
    return fail_at(in, in->number_line, in->number_column, problem);
}

/* The next number, at least 0.  WHAT names it in messages.  */
static bool next_number(struct scanner *in, const char *what, int64_t *value)
{
    bool fits = true, digits = false;

    skip_blanks(in);
    in->number_line = in->line;
    in->number_column = in->at - in->line_start + 1;
    *value = 0;
    for (; in->at < in->length && in->text[in->at] >= '0' && in->text[in->at] <= '9'; in->at++) {
        digits = true;
        fits = fits && checked_mul(*value, 10, value) &&
               checked_add(*value, in->text[in->at] - '0', value);
    }
    if (!digits || !fits) {
        error_set(in->error, "%s:%zu:%zu: %s; expected %s, a whole number%s", in->path,
                  in->number_line, in->number_column,
                  !fits                 ? "too large a number"
                  : in->at < in->length ? "not a number"
                                        : "the end of the file",
                  what, fits ? "" : " that fits in 64 bits");
        return false;
    }
    return true;
}

static bool at_end(struct scanner *in)
{
    skip_blanks(in);
    if (in->at == in->length)
        return true;
    return fail_at(in, in->line, in->at - in->line_start + 1,
                   "data after the last overwrite; expected the end of the file");
}

/* --- the two lists --- */

struct dump {
    struct overwrite_interval *interval;
    size_t intervals;
    struct overwrite_wish *wish;
    size_t wishes;
};

static bool read_interval(struct scanner *in, struct overwrite_interval *interval)
{
    *interval = (struct overwrite_interval){.dest = SIZE_MAX, .src = SIZE_MAX};
    if (!next_number(in, "the step in which an interval begins", &interval->begin) ||
        !next_number(in, "the step before which it ends", &interval->end))
        return false;
    if (interval->end <= interval->begin)
        return fail(in, "the interval is empty; expected a later end");
    if (!next_number(in, "its size", &interval->size))
        return false;
    return interval->size > 0 || fail(in, "size 0; expected at least 1 byte");
}

/* Memory grows with what is really there, not with the count that is promised.  */
static bool read_intervals(struct scanner *in, struct dump *dump)
{
    size_t capacity = 0;
    int64_t count;

    if (!next_number(in, "the number of intervals", &count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        dump->interval =
            memory_grow(dump->interval, &capacity, dump->intervals + 1, sizeof *dump->interval);
        if (!read_interval(in, &dump->interval[dump->intervals]))
            return false;
        dump->intervals++;
    }
    return true;
}

static bool read_index(struct scanner *in, const struct dump *dump, const char *what, size_t *index)
{
    int64_t number;

    if (!next_number(in, what, &number))
        return false;
    if ((uint64_t)number >= dump->intervals)
        return fail(in, "there is no such interval; expected a number below that of intervals");
    *index = (size_t)number;
    return true;
}

static bool read_wish(struct scanner *in, const struct dump *dump, struct overwrite_wish *wish)
{
    const struct overwrite_interval *src, *dest;

    if (!read_index(in, dump, "the interval that overwrites", &wish->src) ||
        !read_index(in, dump, "the interval that is overwritten", &wish->dest))
        return false;
    src = &dump->interval[wish->src];
    dest = &dump->interval[wish->dest];
    if (dest->begin >= src->begin || src->begin >= dest->end)
        return fail(in, "it is not in use, or begins no earlier, when the other one begins");
    if (!next_number(in, "the offset", &wish->offset))
        return false;
    return (dest->size >= src->size && wish->offset <= dest->size - src->size) ||
           fail(in, "the one that overwrites does not fit there");
}

static bool read_wishes(struct scanner *in, struct dump *dump)
{
    size_t capacity = 0;
    int64_t count;

    if (!next_number(in, "the number of overwrites", &count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        dump->wish = memory_grow(dump->wish, &capacity, dump->wishes + 1, sizeof *dump->wish);
        if (!read_wish(in, dump, &dump->wish[dump->wishes]))
            return false;
        dump->wishes++;
    }
    return at_end(in);
}

/* --- buffers --- */

/* Where an interval lies.  */
struct member {
    size_t root, interval;
    int64_t begin, place;
};

static int compare_begins(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return ORDER(x->begin, y->begin) ?: ORDER(x->interval, y->interval);
}

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return ORDER(x->root, y->root) ?: compare_begins(a, b);
}

/* All intervals by root.  What is overwritten begins earlier than what
 * overwrites it, so in order of begin roots and places are known in time.  */
static struct member *find_members(const struct dump *dump)
{
    struct member *member = memory_alloc(dump->intervals, sizeof *member);
    size_t *where = memory_alloc(dump->intervals, sizeof *where);

    for (size_t i = 0; i < dump->intervals; i++)
        member[i] = (struct member){i, i, dump->interval[i].begin, 0};
    if (dump->intervals > 0)
        qsort(member, dump->intervals, sizeof *member, compare_begins);
    for (size_t i = 0; i < dump->intervals; i++)
        where[member[i].interval] = i;
    for (size_t i = 0; i < dump->intervals; i++) {
        const struct overwrite_interval *interval = &dump->interval[member[i].interval];

        if (interval->dest == SIZE_MAX)
            continue;
        member[i].root = member[where[interval->dest]].root;
        member[i].place = member[where[interval->dest]].place + interval->offset;
    }
    if (dump->intervals > 0)
        qsort(member, dump->intervals, sizeof *member, compare_members);
    free(where);
    return member;
}

/* MEMBER[0..count) are the links of one chain.  */
static void add_chain(struct instance *instance, const struct dump *dump,
                      const struct member *member, size_t count)
{
    struct piece *piece = memory_alloc(count, sizeof *piece);
    size_t first = instance->pieces;
    char *id = memory_printf("%zu", member->root);

    for (size_t i = 0; i < count; i++) {
        const struct overwrite_interval *interval = &dump->interval[member[i].interval];

        piece[i] = (struct piece){interval->begin, interval->end, member[i].place,
                                  member[i].place + interval->size, i == 0};
    }
    instance_add_pieces(instance, id, piece, count, 1);
    for (size_t i = 1; i < count; i++)
        instance_add_overwrite(instance, first + i, first + i - 1);
    free(id);
    free(piece);
}

/* The pieces stand by root, and in the file by interval.  */
static void number_pieces(struct instance *instance, const struct member *member, size_t count)
{
    size_t *number = memory_alloc(count, sizeof *number);
    bool other = false;

    for (size_t i = 0; i < count; i++) {
        number[i] = member[i].interval;
        other = other || number[i] != i;
    }
    if (other)
        instance_number_pieces(instance, number);
    free(number);
}

struct instance *megengine_dump_read(const char *text, size_t length, const char *path,
                                     const char *name, struct error *error)
{
    struct scanner in = {.text = text, .path = path, .length = length, .line = 1, .error = error};
    struct dump dump = {0};
    struct instance *instance = NULL;

    if (read_intervals(&in, &dump) && read_wishes(&in, &dump)) {
        struct member *member;

        overwrite_choose(dump.interval, dump.wish, dump.wishes);
        member = find_members(&dump);
        instance = instance_new(name);
        for (size_t i = 0, next; i < dump.intervals; i = next) {
            for (next = i + 1; next < dump.intervals; next++)
                if (member[next].root != member[i].root)
                    break;
            add_chain(instance, &dump, &member[i], next - i);
        }
        number_pieces(instance, member, dump.intervals);
        free(member);
        if (!instance_seal(instance, NULL, error)) {
            error_prefix(error, "%s", path);
            instance_free(instance);
            instance = NULL;
        }
    }
    free(dump.interval);
    free(dump.wish);
    return instance;
}
