/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/program/tail.h"

#include <string.h>

#include "lib/base/utf8.h"

void tail_add(struct tail *tail, const char *text, size_t length)
{
    const size_t room = sizeof tail->text;
    size_t kept;

    if (length > room) {
        text += length - room;
        length = room;
    }
    kept = tail->length < room - length ? tail->length : room - length;
    memmove(tail->text, tail->text + tail->length - kept, kept);
    memcpy(tail->text + kept, text, length);
    tail->length = kept + length;
}

/* What tells progress goes back to the start of its line instead of a new one.  */
static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || ends_line(c);
}

/* The visible character at TEXT: its length, or 0.  The two-byte sequences below
 * U+00A0 are control characters.  */
static size_t visible(const unsigned char *text, size_t room)
{
    if (text[0] < 0x80)
        return text[0] >= ' ' && text[0] != 0x7F;
    if (room > 1 && text[0] == 0xC2 && text[1] < 0xA0)
        return 0;
    return utf8_sequence(text, room);
}

/* Where the text without blanks at its end ends.  */
static size_t trimmed(const struct tail *tail, size_t end)
{
    while (end > 0 && is_blank(tail->text[end - 1]))
        end--;
    return end;
}

/* The same of its whole lines.  */
static size_t trimmed_lines(const struct tail *tail)
{
    size_t end = tail->length;

    while (end > 0 && !ends_line(tail->text[end - 1]))
        end--;
    return trimmed(tail, end);
}

void tail_last_line(const struct tail *tail, bool cut, char *line, size_t size)
{
    static const char dots[] = "...";
    const size_t room = size - sizeof dots;
    size_t end = cut ? trimmed_lines(tail) : 0, at, used = 0;

    if (end == 0)
        end = trimmed(tail, tail->length);
    for (at = end; at > 0 && !ends_line(tail->text[at - 1]); at--)
        continue;
    while (at < end && is_blank(tail->text[at]))
        at++;
    while (at < end) {
        const char *text = tail->text + at;
        size_t length = visible((const unsigned char *)text, end - at);
        const char *shown = length > 0 ? text : text[0] == '\t' ? " " : "?";

        length += length == 0;
        if (used + length > room)
            break;
        memcpy(line + used, shown, length);
        used += length;
        at += length;
    }
    strcpy(line + used, at < end ? dots : "");
}
