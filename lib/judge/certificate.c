#include <config.h>

#include "lib/judge/certificate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

enum {
    LONGEST_LINE = 200,
    MOST_NUMBERS = 4,
    /* With alignments, longest paths may take many rounds; no certificate needs more.  */
    ROUNDS_A_BUFFER = 1000,
};

/* What the levels of a certificate may take together.  */
#define MOST_BYTES ((size_t)256 << 20)

/* x[to] >= x[from] + least.  */
struct edge {
    size_t from, to;
    int64_t least;
};

/* A case that is being refuted.  */
struct level {
    size_t edges;     /* before its own */
    bool second;      /* d >= HIGH is being refuted; otherwise that comes next */
    struct edge next; /* the other case */
    bool broken;      /* before the branch */
};

struct checker {
    const struct instance *instance;
    FILE *in;
    const char *path;
    size_t line;
    struct error *error;
    char text[LONGEST_LINE + 2];
    int64_t capacity;

    size_t edges, edge_capacity;
    struct edge *edge;
    int64_t *known; /* least and latest offset of each buffer, level after level */
    int64_t *trial; /* the same for what is only tried */
    size_t levels, level_capacity, known_capacity;
    struct level *level;
    bool broken; /* what is known contradicts itself */
    size_t cases;

    struct span *span; /* room for one buffer's pieces, or pairs of them */
    size_t span_capacity;
};

struct span {
    int64_t lo, hi;
};

/* --- lines --- */

static bool fail(struct checker *checker, const char *what)
{
    return error_set(checker->error, "%s:%zu: %s", checker->path, checker->line, what);
}

/* The next line, without its end, in checker->text.  */
static bool next_line(struct checker *checker)
{
    size_t length;

    checker->line++;
    errno = 0;
    if (fgets(checker->text, sizeof checker->text, checker->in) == NULL)
        return fail(checker,
                    ferror(checker->in) ? strerror(errno) : "the certificate ends; expected `end`");
    length = strlen(checker->text);
    if (length == 0 || checker->text[length - 1] != '\n')
        return fail(checker, "expected a line of at most 200 characters that ends");
    checker->text[length - 1] = '\0';
    return true;
}

/* Whether the line is WORD and COUNT whole numbers.  */
static bool line_is(const struct checker *checker, const char *word, int64_t *number, size_t count)
{
    size_t length = strlen(word);
    const char *at = checker->text + length;

    if (strncmp(checker->text, word, length) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        char *end;
        long long value;

        if (at[0] != ' ' || (at[1] != '-' && (at[1] < '0' || at[1] > '9')))
            return false;
        errno = 0;
        value = strtoll(at + 1, &end, 10);
        if (errno != 0 || end == at + 1)
            return false;
        number[i] = value;
        at = end;
    }
    return *at == '\0';
}

/* --- what follows from differences --- */

static int64_t *least_of(const struct checker *checker)
{
    return checker->known + checker->levels * 2 * checker->instance->n;
}

static void align_down(int64_t *offset, int64_t alignment)
{
    *offset -= ((*offset % alignment) + alignment) % alignment;
}

/* One round over all edges.  False where a least offset passes a latest one; CHANGED
 * where something moved.  Numbers stay within the capacity on either side of 0.  */
static bool relax(const struct checker *checker, int64_t *least, int64_t *latest, bool *changed)
{
    *changed = false;
    for (size_t e = 0; e < checker->edges; e++) {
        const struct edge *edge = &checker->edge[e];
        const struct buffer *from = &checker->instance->buffer[edge->from];
        const struct buffer *to = &checker->instance->buffer[edge->to];
        int64_t low = least[edge->from] + edge->least, high = latest[edge->to] - edge->least;

        if (low > least[edge->to]) {
            if (low > latest[edge->to])
                return false;
            least[edge->to] = align_up(low, to->alignment);
            *changed = true;
        }
        if (high < latest[edge->from]) {
            if (high < least[edge->from])
                return false;
            latest[edge->from] = high;
            align_down(&latest[edge->from], from->alignment);
            *changed = true;
        }
        if (least[edge->to] > latest[edge->to] || least[edge->from] > latest[edge->from])
            return false;
    }
    return true;
}

enum follow { FOLLOW_OPEN, FOLLOW_BROKEN, FOLLOW_ENDLESS };

/* LEAST and latest after it as far as the edges say.  Without alignments, n rounds are
 * enough unless differences around some circle add up to more than 0, which no offsets
 * satisfy.  */
static enum follow follow(const struct checker *checker, int64_t *least)
{
    size_t n = checker->instance->n;
    bool aligned = checker->instance->max_alignment > 1, changed = true;
    size_t rounds = (n + 1) * (aligned ? ROUNDS_A_BUFFER : 1);

    while (changed && rounds-- > 0)
        if (!relax(checker, least, least + n, &changed))
            return FOLLOW_BROKEN;
    if (!changed)
        return FOLLOW_OPEN;
    return aligned ? FOLLOW_ENDLESS : FOLLOW_BROKEN;
}

static void add_edge(struct checker *checker, struct edge edge)
{
    checker->edge = memory_grow(checker->edge, &checker->edge_capacity, checker->edges + 1,
                                sizeof *checker->edge);
    checker->edge[checker->edges++] = edge;
}

/* Adds EDGE to what is known.  */
static bool learn(struct checker *checker, struct edge edge)
{
    enum follow result;

    add_edge(checker, edge);
    if (checker->broken)
        return true;
    result = follow(checker, least_of(checker));
    if (result == FOLLOW_ENDLESS)
        return fail(checker, "the differences do not come to rest");
    checker->broken = result == FOLLOW_BROKEN;
    return true;
}

/* Whether EDGE contradicts what is known.  */
static bool contradicts(struct checker *checker, struct edge edge)
{
    enum follow result;

    if (checker->broken)
        return true;
    memcpy(checker->trial, least_of(checker), 2 * checker->instance->n * sizeof *checker->trial);
    add_edge(checker, edge);
    result = follow(checker, checker->trial);
    checker->edges--;
    return result == FOLLOW_BROKEN;
}

/* --- geometry --- */

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    return ORDER(x->lo, y->lo) ?: ORDER(x->hi, y->hi);
}

static void add_span(struct checker *checker, size_t *count, int64_t lo, int64_t hi)
{
    checker->span =
        memory_grow(checker->span, &checker->span_capacity, *count + 1, sizeof *checker->span);
    checker->span[(*count)++] = (struct span){lo, hi};
}

/* Whether pieces of A and B that share a step forbid all d with LOW < d < HIGH.  */
static bool forbids(struct checker *checker, size_t a, size_t b, int64_t low, int64_t high)
{
    const struct instance *instance = checker->instance;
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];
    int64_t next = low + 1; /* everything between LOW and this is forbidden */
    size_t count = 0;

    for (size_t i = 0; i < x->pieces; i++)
        for (size_t k = 0; k < y->pieces; k++) {
            const struct piece *p = &instance->piece[x->first_piece + i];
            const struct piece *q = &instance->piece[y->first_piece + k];

            if (p->begin < q->end && q->begin < p->end)
                add_span(checker, &count, p->lo - q->hi, p->hi - q->lo);
        }
    if (count > 0)
        qsort(checker->span, count, sizeof *checker->span, compare_spans);
    for (size_t i = 0; i < count; i++)
        if (checker->span[i].lo < next) /* spans are open */
            next = max64(next, checker->span[i].hi);
    return next >= high;
}

/* The bytes that buffer B uses at STEP in stretches that lie between LEAST and MOST,
 * wherever B is.  */
static int64_t bytes_within(struct checker *checker, size_t b, int64_t step, int64_t least,
                            int64_t most)
{
    const struct buffer *buffer = &checker->instance->buffer[b];
    int64_t low = least_of(checker)[b], high = least_of(checker)[checker->instance->n + b];
    int64_t bytes = 0;
    size_t count = 0;

    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &checker->instance->piece[buffer->first_piece + i];

        if (piece->begin <= step && step < piece->end)
            add_span(checker, &count, piece->lo, piece->hi);
    }
    if (count > 0)
        qsort(checker->span, count, sizeof *checker->span, compare_spans);
    for (size_t i = 0; i < count;) {
        struct span stretch = checker->span[i++];

        for (; i < count && checker->span[i].lo <= stretch.hi; i++)
            stretch.hi = max64(stretch.hi, checker->span[i].hi);
        if (low + stretch.lo >= least && high + stretch.hi <= most)
            bytes += stretch.hi - stretch.lo;
    }
    return bytes;
}

static bool overloaded(struct checker *checker, int64_t step, int64_t least, int64_t most)
{
    int64_t sum = 0;

    for (size_t b = 0; b < checker->instance->n; b++)
        sum += bytes_within(checker, b, step, least, most);
    return sum > most - least;
}

/* --- cases --- */

/* The two cases of a line: d <= LOW and d >= HIGH.  */
static bool read_cases(struct checker *checker, const int64_t *number, struct edge *below,
                       struct edge *above)
{
    size_t n = checker->instance->n;
    int64_t limit = checker->instance->total;

    if (number[0] < 0 || number[1] < 0 || (uint64_t)number[0] >= n || (uint64_t)number[1] >= n ||
        number[0] == number[1])
        return fail(checker, "expected two buffers of the instance, numbered from 0");
    if (number[2] < -limit || number[3] > limit || number[2] >= number[3])
        return fail(checker, "expected LOW below HIGH, within the sum of the sizes");
    if (!forbids(checker, (size_t)number[0], (size_t)number[1], number[2], number[3]))
        return fail(checker, "no pieces of these buffers forbid what is between LOW and HIGH");
    *below = (struct edge){(size_t)number[1], (size_t)number[0], -number[2]};
    *above = (struct edge){(size_t)number[0], (size_t)number[1], number[3]};
    return true;
}

static bool begin_level(struct checker *checker, struct edge below, struct edge above)
{
    size_t width = 2 * checker->instance->n;

    if ((checker->levels + 2) * width > MOST_BYTES / sizeof *checker->known)
        return fail(checker, "more cases within cases than there is room for");
    checker->level = memory_grow(checker->level, &checker->level_capacity, checker->levels + 1,
                                 sizeof *checker->level);
    checker->known = memory_grow(checker->known, &checker->known_capacity,
                                 (checker->levels + 2) * width, sizeof *checker->known);
    checker->level[checker->levels] = (struct level){checker->edges, false, above, checker->broken};
    checker->levels++;
    memcpy(least_of(checker), least_of(checker) - width, width * sizeof *checker->known);
    return learn(checker, below);
}

/* This case is refuted: on to the other one, or out of the branch.  */
static bool close_case(struct checker *checker)
{
    size_t width = 2 * checker->instance->n;

    checker->cases++;
    while (checker->levels > 0 && checker->level[checker->levels - 1].second)
        checker->levels--;
    if (checker->levels > 0) {
        struct level *level = &checker->level[checker->levels - 1];

        level->second = true;
        checker->edges = level->edges;
        checker->broken = level->broken;
        memcpy(least_of(checker), least_of(checker) - width, width * sizeof *checker->known);
        return learn(checker, level->next);
    }
    return true;
}

/* One line of the refutation; CLOSED where it ends a case.  */
static bool read_step(struct checker *checker, bool *closed)
{
    int64_t number[MOST_NUMBERS];
    struct edge below, above;

    *closed = false;
    if (line_is(checker, "branch", number, 4))
        return read_cases(checker, number, &below, &above) && begin_level(checker, below, above);
    if (line_is(checker, "below", number, 4))
        return read_cases(checker, number, &below, &above) &&
               (contradicts(checker, above) ||
                fail(checker, "the case above does not contradict what is known")) &&
               learn(checker, below);
    if (line_is(checker, "above", number, 4))
        return read_cases(checker, number, &below, &above) &&
               (contradicts(checker, below) ||
                fail(checker, "the case below does not contradict what is known")) &&
               learn(checker, above);
    *closed = true;
    if (line_is(checker, "path", number, 0))
        return checker->broken || fail(checker, "what is known does not contradict itself");
    if (line_is(checker, "overload", number, 3)) {
        if (number[1] < 0 || number[2] > checker->capacity || number[1] > number[2])
            return fail(checker, "expected 0 <= LEAST <= MOST <= the capacity");
        return checker->broken || overloaded(checker, number[0], number[1], number[2]) ||
               fail(checker, "what has to lie there is not more than there is room for");
    }
    return fail(checker, "expected branch, below, above, path or overload");
}

/* The offsets that the capacity alone leaves.  */
static void begin(struct checker *checker)
{
    size_t n = checker->instance->n;
    int64_t *least;

    checker->known = memory_grow(NULL, &checker->known_capacity, 2 * n + 1, sizeof *checker->known);
    checker->trial = memory_alloc(2 * n, sizeof *checker->trial);
    least = least_of(checker);
    for (size_t b = 0; b < n; b++) {
        const struct buffer *buffer = &checker->instance->buffer[b];

        least[b] = 0;
        least[n + b] = checker->capacity - buffer->size;
        checker->broken = checker->broken || least[n + b] < 0;
        align_down(&least[n + b], buffer->alignment);
    }
}

static bool read_head(struct checker *checker)
{
    char *wanted;
    bool same;

    if (!next_line(checker))
        return false;
    if (strcmp(checker->text, CERTIFICATE_TITLE) != 0)
        return fail(checker, "expected `" CERTIFICATE_TITLE "`");
    wanted = memory_printf("instance %016" PRIx64, instance_checksum(checker->instance));
    same = next_line(checker) &&
           (strcmp(checker->text, wanted) == 0 || fail(checker, "not of this instance"));
    free(wanted);
    if (!same || !next_line(checker))
        return false;
    if (!line_is(checker, "capacity", &checker->capacity, 1) || checker->capacity < 0)
        return fail(checker, "expected `capacity` and a number of bytes");
    /* Then all sums fit.  */
    if (checker->capacity > INT64_MAX / 4 || checker->instance->total > INT64_MAX / 4)
        return fail(checker, "expected sizes and a capacity below 2^61 bytes");
    begin(checker);
    return true;
}

static bool check(struct checker *checker)
{
    bool closed = false;

    if (!read_head(checker))
        return false;
    do {
        if (!next_line(checker) || !read_step(checker, &closed) || (closed && !close_case(checker)))
            return false;
    } while (!closed || checker->levels > 0);
    if (!next_line(checker))
        return false;
    if (strcmp(checker->text, "end") != 0 || fgetc(checker->in) != EOF)
        return fail(checker, "expected `end`, all cases being refuted, and nothing after it");
    return true;
}

bool certificate_check(FILE *in, const char *path, const struct instance *instance,
                       struct certificate *certificate, struct error *error)
{
    struct checker checker = {.instance = instance, .in = in, .path = path, .error = error};
    bool good = check(&checker);

    *certificate = (struct certificate){checker.capacity, checker.cases};
    free(checker.edge);
    free(checker.known);
    free(checker.trial);
    free(checker.level);
    free(checker.span);
    return good;
}
