/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/judge/certificate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "lib/judge/certificate_known.h"
#include "lib/judge/certificate_writer.h"
#include "lib/problem/instance.h"

/* Room for a word, and for each number with its space.  */
enum { WORD_ROOM = 60, NUMBER_ROOM = 21, FEW_NUMBERS = 10 };

/* x_B - x_A >= LEAST.  */
struct literal {
    int64_t a, b, least;
};

struct nogood {
    size_t name, n;
    struct literal *literal;
};

struct checker {
    const struct instance *instance;
    FILE *in;
    const char *path;
    size_t line;
    struct error *error;
    struct certificate *certificate;
    uint64_t checksum; /* of the lines before */
    char *text;        /* a line, without its end */
    size_t room;
    int64_t *number; /* of the line */
    size_t numbers, most_numbers;

    struct certificate_known known;
    bool begun;     /* a line after those of fixed offsets and symmetries was there */
    bool *twin;     /* buffers that were named so */
    bool is_turned; /* there was a mirror */

    struct nogood *nogood; /* that are live, by name */
    size_t nogoods, nogood_room;

    /* The nogood in the making.  */
    bool making, concluding; /* concluding: a line other than `if` was there */
    bool refuted;            /* there was a contradiction without its literals */
    struct literal *literal;
    size_t literals, literal_room;
};

/* --- lines --- */

static bool fail(struct checker *checker, const char *what)
{
    return error_set(checker->error, "%s:%zu: %s", checker->path, checker->line, what);
}

/* The next line in checker->text.  */
static bool next_line(struct checker *checker)
{
    size_t length;

    checker->line++;
    errno = 0;
    if (fgets(checker->text, (int)checker->room, checker->in) == NULL)
        return fail(checker,
                    ferror(checker->in) ? strerror(errno) : "the certificate ends; expected `end`");
    length = strlen(checker->text);
    if (length == 0 || checker->text[length - 1] != '\n')
        return fail(checker, "expected a line that ends, of no more numbers than there can be");
    checker->certificate->bytes += length;
    checker->text[length - 1] = '\0';
    return true;
}

/* The line is a part of what `end` has the checksum of.  */
static void count_line(struct checker *checker)
{
    checker->checksum = checksum_bytes(checker->checksum, checker->text, strlen(checker->text));
    checker->checksum = checksum_bytes(checker->checksum, "\n", 1);
}

/* Reads the whole numbers behind a word, each as it would be written.  */
static bool read_numbers(struct checker *checker, const char *at)
{
    for (checker->numbers = 0; *at != '\0'; checker->numbers++) {
        char *end;
        const char *digit = at + 1 + (at[0] == ' ' && at[1] == '-');
        long long value;

        if (at[0] != ' ' || *digit < '0' || *digit > '9' || (*digit == '0' && digit != at + 1) ||
            (*digit == '0' && digit[1] >= '0' && digit[1] <= '9') ||
            checker->numbers == checker->most_numbers)
            return false;
        errno = 0;
        value = strtoll(at + 1, &end, 10);
        if (errno != 0 || value < -CERTIFICATE_MOST || value > CERTIFICATE_MOST)
            return false;
        checker->number[checker->numbers] = value;
        at = end;
    }
    return true;
}

/* Whether the line is WORD and COUNT numbers.  */
static bool line_is(struct checker *checker, const char *word, size_t count)
{
    size_t length = strlen(word);

    return strncmp(checker->text, word, length) == 0 &&
           read_numbers(checker, checker->text + length) && checker->numbers == count;
}

/* CERTIFICATE_WORDS: it is none.  */
static enum certificate_word find_word(struct checker *checker)
{
    size_t length = strcspn(checker->text, " ");

    for (size_t w = 0; w < CERTIFICATE_WORDS; w++) {
        const struct certificate_row *row = &certificate_table[w];

        if (strlen(row->word) != length || strncmp(checker->text, row->word, length) != 0)
            continue;
        if (!read_numbers(checker, checker->text + length))
            break;
        if (row->numbers == CERTIFICATE_ANY ? checker->numbers >= 2
                                            : checker->numbers == (size_t)row->numbers)
            return (enum certificate_word)w;
    }
    return CERTIFICATE_WORDS;
}

/* --- nogoods --- */

static size_t find_nogood(const struct checker *checker, int64_t name)
{
    size_t k = BISECT(i, 0, checker->nogoods, checker->nogood[i].name < (uint64_t)name);

    return name > 0 && k < checker->nogoods && checker->nogood[k].name == (size_t)name ? k
                                                                                       : SIZE_MAX;
}

static bool holds(const struct checker *checker, const struct literal *literal)
{
    return certificate_known_least(&checker->known, literal->a, literal->b) >= literal->least;
}

static void deny(struct checker *checker, const struct literal *literal)
{
    certificate_known_raise(&checker->known, literal->b, literal->a, 1 - literal->least);
}

/* False where two or more of its literals do not hold.  */
static bool use(struct checker *checker, const struct nogood *nogood)
{
    const struct literal *open = NULL;

    for (size_t i = 0; i < nogood->n; i++) {
        if (holds(checker, &nogood->literal[i]))
            continue;
        if (open != NULL)
            return false;
        open = &nogood->literal[i];
    }
    if (open == NULL)
        checker->known.broken = true;
    else
        deny(checker, open);
    return true;
}

static bool begin_nogood(struct checker *checker)
{
    if (checker->making)
        return fail(checker, "expected `learned` before the next nogood");
    checker->making = true;
    checker->concluding = false;
    checker->refuted = checker->known.broken;
    checker->known.changes = 0; /* what is known so far stays */
    checker->literals = 0;
    return true;
}

static bool add_literal(struct checker *checker)
{
    const int64_t *number = checker->number;

    if (!checker->making || checker->concluding)
        return fail(checker, "expected `if` right after `nogood`");
    if (!certificate_known_has(&checker->known, number[0], number[1]))
        return fail(checker, "expected two buffers that are alive together, or one and 0");
    checker->literal = memory_grow(checker->literal, &checker->literal_room, checker->literals + 1,
                                   sizeof *checker->literal);
    checker->literal[checker->literals++] = (struct literal){number[0], number[1], number[2]};
    if (!checker->known.broken)
        certificate_known_raise(&checker->known, number[0], number[1], number[2]);
    return true;
}

/* What is known is what was known before, and more where there is a single literal or none.  */
static bool end_nogood(struct checker *checker)
{
    struct nogood *nogood;
    size_t bytes = checker->literals * sizeof *checker->literal;

    if (!checker->making)
        return fail(checker, "expected `nogood` before `learned`");
    if (!checker->known.broken)
        return fail(checker, "the conditions do not contradict what is known");
    checker->making = false;
    certificate_known_back(&checker->known, 0);
    checker->known.broken = checker->refuted || checker->literals == 0;
    checker->certificate->nogoods++;
    checker->nogood = memory_grow(checker->nogood, &checker->nogood_room, checker->nogoods + 1,
                                  sizeof *checker->nogood);
    nogood = &checker->nogood[checker->nogoods++];
    *nogood = (struct nogood){checker->certificate->nogoods, checker->literals,
                              memory_alloc(checker->literals, sizeof *checker->literal)};
    if (bytes > 0)
        memcpy(nogood->literal, checker->literal, bytes);
    if (checker->nogoods > checker->certificate->most)
        checker->certificate->most = checker->nogoods;
    if (checker->literals == 1 && !checker->known.broken)
        deny(checker, &nogood->literal[0]);
    return true;
}

static bool forget(struct checker *checker)
{
    size_t k = find_nogood(checker, checker->number[0]);

    if (k == SIZE_MAX)
        return fail(checker, "there is no such nogood");
    free(checker->nogood[k].literal);
    checker->nogoods--;
    memmove(checker->nogood + k, checker->nogood + k + 1,
            (checker->nogoods - k) * sizeof *checker->nogood);
    return true;
}

/* --- fixed offsets and symmetries --- */

/* That the offset in units is the instance's says that the unit divides that.  */
static bool add_fixed(struct checker *checker)
{
    struct certificate_known *known = &checker->known;
    int64_t b = checker->number[0], offset = checker->number[1], bytes;

    if (b <= 0 || !certificate_known_has(known, 0, b))
        return fail(checker, "expected a buffer");
    if (offset < 0 || !checked_mul(offset, known->unit, &bytes) ||
        bytes != known->instance->buffer[b - 1].fixed)
        return fail(checker, "the instance has not fixed it there");
    certificate_known_raise(known, 0, b, offset);
    certificate_known_raise(known, b, 0, -offset);
    return true;
}

static bool add_twins(struct checker *checker)
{
    int64_t a = checker->number[0], b = checker->number[1];

    if (a <= 0 || a >= b || !certificate_known_has(&checker->known, a, b) ||
        !certificate_known_twins(&checker->known, (size_t)a, (size_t)b))
        return fail(checker, "expected two buffers that are the same, in order");
    if (checker->is_turned)
        return fail(checker, "expected twins before the mirror");
    checker->twin[a] = checker->twin[b] = true;
    certificate_known_raise(&checker->known, a, b, 0);
    return true;
}

static bool add_mirror(struct checker *checker)
{
    struct certificate_known *known = &checker->known;
    int64_t a = checker->number[0], b = checker->number[1], twice;

    if (a <= 0 || b <= 0 || !certificate_known_has(known, a, b) || checker->twin[a] ||
        checker->twin[b] || checker->is_turned)
        return fail(checker, "expected one pair of buffers without twins");
    for (size_t c = 1; c <= known->n; c++)
        if (known->inside[c] && !certificate_known_symmetric(known, c))
            return fail(checker, "not all buffers are the same upside down");
    checker->is_turned = true;
    /* Upside down the difference d is size A - size B - d, so one of the two is at least half
     * of that.  */
    twice = known->instance->buffer[a - 1].size / known->unit -
            known->instance->buffer[b - 1].size / known->unit;
    certificate_known_raise(known, a, b, twice / 2 + (twice > 0 && twice % 2 != 0));
    return true;
}

/* --- all of it --- */

static bool read_step(struct checker *checker, enum certificate_word word)
{
    struct certificate_known *known = &checker->known;
    struct error error = {""};

    checker->certificate->steps++;
    checker->concluding = true;
    if (word == CERTIFICATE_USE) {
        size_t k = find_nogood(checker, checker->number[0]);

        if (k == SIZE_MAX)
            return fail(checker, "there is no such nogood");
        return known->broken || use(checker, &checker->nogood[k]) ||
               fail(checker, "more than one literal of this nogood does not hold");
    }
    return known->broken ||
           certificate_rule(known, word, checker->number, checker->numbers, &error) ||
           fail(checker, error.text);
}

static bool read_line(struct checker *checker, enum certificate_word word)
{
    bool is_head =
        word == CERTIFICATE_FIXED || word == CERTIFICATE_TWINS || word == CERTIFICATE_MIRROR;

    if (word != CERTIFICATE_OVERLOAD && word != CERTIFICATE_FIXED)
        certificate_known_pair(&checker->known);
    if (is_head && checker->begun)
        return fail(checker, "expected fixed offsets and symmetries before all other lines");
    checker->begun = !is_head;
    switch (word) {
    case CERTIFICATE_WORDS:
        return fail(checker, "expected a word with its numbers");
    case CERTIFICATE_FIXED:
        return add_fixed(checker);
    case CERTIFICATE_TWINS:
        return add_twins(checker);
    case CERTIFICATE_MIRROR:
        return add_mirror(checker);
    case CERTIFICATE_NOGOOD:
        return begin_nogood(checker);
    case CERTIFICATE_IF:
        return add_literal(checker);
    case CERTIFICATE_LEARNED:
        return end_nogood(checker);
    case CERTIFICATE_FORGET:
        return forget(checker);
    default:
        return read_step(checker, word);
    }
}

static bool read_scope(struct checker *checker, struct certificate_scope *scope)
{
    int64_t *number = checker->number;

    if (!next_line(checker))
        return false;
    if (!line_is(checker, "capacity", 1) || number[0] < 0)
        return fail(checker, "expected `capacity` and a number of bytes below 2^61");
    scope->capacity = number[0];
    count_line(checker);
    if (!next_line(checker))
        return false;
    if (!line_is(checker, "steps", 2))
        return fail(checker, "expected `steps` and two steps");
    scope->begin = number[0];
    scope->end = number[1];
    count_line(checker);
    if (!next_line(checker))
        return false;
    if (!line_is(checker, "unit", 1) || number[0] <= 0)
        return fail(checker, "expected `unit` and a number of bytes above 0");
    scope->unit = number[0];
    count_line(checker);
    return true;
}

static bool read_head(struct checker *checker)
{
    const struct instance *instance = checker->instance;
    struct certificate_scope scope;
    struct error error = {""};
    char wanted[40];

    snprintf(wanted, sizeof wanted, "instance %016" PRIx64, instance_checksum(instance));
    if (!next_line(checker))
        return false;
    if (strcmp(checker->text, CERTIFICATE_TITLE) != 0)
        return fail(checker, "expected `" CERTIFICATE_TITLE "`");
    count_line(checker);
    if (!next_line(checker))
        return false;
    if (strcmp(checker->text, wanted) != 0)
        return fail(checker, "not of this instance");
    count_line(checker);
    if (!read_scope(checker, &scope))
        return false;
    if (!certificate_possible(instance, &error))
        return fail(checker, error.text);
    checker->certificate->capacity = scope.capacity;
    return certificate_known_init(&checker->known, instance, &scope, &error) ||
           fail(checker, error.text);
}

static bool check(struct checker *checker)
{
    if (!read_head(checker))
        return false;
    for (;;) {
        char wanted[24];

        if (!next_line(checker))
            return false;
        snprintf(wanted, sizeof wanted, "end %016" PRIx64, checker->checksum);
        if (strncmp(checker->text, "end ", 4) != 0) {
            count_line(checker);
            if (!read_line(checker, find_word(checker)))
                return false;
            continue;
        }
        if (checker->making || !checker->known.broken)
            return fail(checker, "what is known without conditions does not contradict itself");
        if (strcmp(checker->text, wanted) != 0)
            return fail(checker, "the checksum is not that of the lines before");
        return fgetc(checker->in) == EOF || fail(checker, "expected nothing after `end`");
    }
}

bool certificate_check(FILE *in, const char *path, const struct instance *instance,
                       struct certificate *certificate, struct error *error)
{
    size_t most = instance->n + FEW_NUMBERS, room = WORD_ROOM + NUMBER_ROOM * most;
    struct checker checker = {
        .instance = instance,
        .in = in,
        .path = path,
        .error = error,
        .certificate = certificate,
        .checksum = CHECKSUM_START,
        .text = memory_alloc(room, 1),
        .room = room,
        .number = memory_alloc(most, sizeof *checker.number),
        .most_numbers = most,
        .twin = memory_zalloc(instance->n + 1, sizeof *checker.twin),
    };
    bool good;

    *certificate = (struct certificate){0};
    good = check(&checker);
    for (size_t k = 0; k < checker.nogoods; k++)
        free(checker.nogood[k].literal);
    free(checker.nogood);
    free(checker.literal);
    free(checker.text);
    free(checker.number);
    free(checker.twin);
    certificate_known_clear(&checker.known);
    return good;
}
