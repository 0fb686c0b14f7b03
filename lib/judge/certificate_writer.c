/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/judge/certificate_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>

#include "lib/base/checksum.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"

const struct certificate_row certificate_table[CERTIFICATE_WORDS] = {
    [CERTIFICATE_SUM] = {"sum", 3},           [CERTIFICATE_CYCLE] = {"cycle", CERTIFICATE_ANY},
    [CERTIFICATE_OVERLOAD] = {"overload", 3}, [CERTIFICATE_ABOVE] = {"above", 9},
    [CERTIFICATE_BELOW] = {"below", 9},       [CERTIFICATE_PILE] = {"pile", 5},
    [CERTIFICATE_HANG] = {"hang", 5},         [CERTIFICATE_NOT_LOW] = {"not-low", 6},
    [CERTIFICATE_NOT_HIGH] = {"not-high", 6}, [CERTIFICATE_USE] = {"use", 1},
    [CERTIFICATE_NOGOOD] = {"nogood", 0},     [CERTIFICATE_IF] = {"if", 3},
    [CERTIFICATE_LEARNED] = {"learned", 0},   [CERTIFICATE_FORGET] = {"forget", 1},
    [CERTIFICATE_FIXED] = {"fixed", 2},       [CERTIFICATE_TWINS] = {"twins", 2},
    [CERTIFICATE_MIRROR] = {"mirror", 2},
};

bool certificate_possible(const struct instance *instance, struct error *error)
{
    bool fits = instance->total <= CERTIFICATE_MOST && instance->load <= CERTIFICATE_MOST &&
                instance->max_alignment <= CERTIFICATE_MOST;

    for (size_t b = 0; b < instance->n && fits; b++)
        fits = instance->buffer[b].begin >= -CERTIFICATE_MOST &&
               instance->buffer[b].end <= CERTIFICATE_MOST;
    return fits ||
           error_set(error, "expected sizes, alignments, fixed offsets and steps below 2^61");
}

static void __attribute__((format(printf, 2, 3)))
put(struct certificate_writer *writer, const char *format, ...)
{
    char text[80];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof text);
    writer->checksum = checksum_bytes(writer->checksum, text, (size_t)length);
    fwrite(text, 1, (size_t)length, writer->out);
}

void certificate_writer_begin(struct certificate_writer *writer, const struct instance *instance,
                              FILE *out, const struct certificate_scope *scope)
{
    *writer = (struct certificate_writer){out, instance, CHECKSUM_START};
    put(writer, "%s\n", CERTIFICATE_TITLE);
    put(writer, "instance %016" PRIx64 "\n", instance_checksum(instance));
    put(writer, "capacity %" PRId64 "\n", scope->capacity);
    put(writer, "steps %" PRId64 " %" PRId64 "\n", scope->begin, scope->end);
    put(writer, "unit %" PRId64 "\n", scope->unit);
}

void certificate_writer_line(struct certificate_writer *writer, enum certificate_word word,
                             const int64_t *number, size_t count)
{
    const struct certificate_row *row = &certificate_table[word];

    assert(row->numbers == CERTIFICATE_ANY || (size_t)row->numbers == count);
    put(writer, "%s", row->word);
    for (size_t i = 0; i < count; i++)
        put(writer, " %" PRId64, number[i]);
    put(writer, "\n");
}

void certificate_writer_end(struct certificate_writer *writer)
{
    fprintf(writer->out, "end %016" PRIx64 "\n", writer->checksum);
}
