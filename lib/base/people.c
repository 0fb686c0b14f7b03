/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/people.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/utf8.h"

/* C1, whose U+009B begins orders like ESC [, marks and overrides of the direction, and the ends of
 * a line and a paragraph.  */
bool people_escape(uint32_t code)
{
    return code < ' ' || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

static void write_byte(FILE *out, unsigned char c)
{
    if (c == '\n' || c == '\r' || c == '\t')
        fprintf(out, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
    else if (c < ' ' || c >= 0x7F)
        fprintf(out, "\\x%02x", c);
    else
        putc(c, out);
}

static void write_text(FILE *out, const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + size;

    while (at < end) {
        const size_t length = utf8_sequence(at, (size_t)(end - at));

        if (length == 0)
            write_byte(out, *at);
        else if (people_escape(utf8_character(at, length)))
            fprintf(out, "\\u%04x", utf8_character(at, length));
        else
            fwrite(at, 1, length, out);
        at += length > 0 ? length : 1;
    }
}

char *people_text(const char *text)
{
    char *copy = NULL;
    size_t length;
    FILE *out = memory_stream(&copy, &length);

    write_text(out, text, strlen(text));
    memory_stream_close(out);
    return copy;
}

void people_print(FILE *out, const char *format, ...)
{
    const size_t whole = strlen(format), before = strspn(format, "\n");
    size_t behind = 0, size;
    char *text = NULL;
    va_list args;

    while (before + behind < whole && format[whole - 1 - behind] == '\n')
        behind++;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        memory_exhausted();
    va_end(args);
    size = strlen(text);
    fwrite(text, 1, before, out);
    write_text(out, text + before, size - before - behind);
    fwrite(text + size - behind, 1, behind, out);
    free(text);
}

static bool begins(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

size_t people_width(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++)
        width += begins(*text);
    return width;
}

void people_cut(char *text, size_t width)
{
    for (; *text != '\0'; text++)
        if (begins(*text) && width-- == 0) {
            *text = '\0';
            return;
        }
}

struct people_unit people_unit(int64_t bytes)
{
    static const struct people_unit units[] = {
        {"bytes", 1.0}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
    size_t i = 0;

    while (i < 3 && (double)bytes >= 4.0 * units[i + 1].bytes)
        i++;
    return units[i];
}

char *people_bytes(int64_t bytes)
{
    const struct people_unit unit = people_unit(bytes);

    return memory_printf("%.4g %s", (double)bytes / unit.bytes, unit.name);
}
