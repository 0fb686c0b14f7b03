/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/shell_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "lib/base/memory.h"

/* What ends a word; a command within backquotes or $(...) is words too.  */
static const char blanks[] = " \t", operators[] = "\n;|&()<>`";

static bool is_one_of(char c, const char *characters)
{
    return c != '\0' && strchr(characters, c) != NULL;
}

/* The end of the text in quotes that begins at TEXT.  */
static const char *skip_quoted(const char *text)
{
    const char quote = *text++;

    while (*text != '\0' && *text != quote) {
        if (quote == '"' && text[0] == '\\' && text[1] != '\0')
            text++;
        text++;
    }
    return *text == quote ? text + 1 : text;
}

static const char *skip_word(const char *text)
{
    while (*text != '\0' && !is_one_of(*text, blanks) && !is_one_of(*text, operators))
        if (*text == '\'' || *text == '"')
            text = skip_quoted(text);
        else
            text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    return text;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of $NAME, ${NAME}, ${NAME-WORD} or ${NAME:-WORD} at TEXT, with a plain WORD; 0: it is
 * none of these.  */
static size_t variable_length(const char *text)
{
    const bool braces = text[1] == '{';
    const char *at = text + 1 + braces;

    if (!is_name(*at) || isdigit((unsigned char)*at))
        return 0;
    while (is_name(*at))
        at++;
    if (!braces)
        return (size_t)(at - text);
    if (*at != '}') {
        at += *at == ':';
        if (*at != '-')
            return 0;
        at += strcspn(at, "}$`\\\"'{");
    }
    return *at == '}' ? (size_t)(at + 1 - text) : 0;
}

/* Whether WORD, beside quotes, has no more than variables in it.  Other forms are left to the
 * shell: ${NAME=WORD} would set the variable here, ${NAME?WORD} complain, $1 and $@ stand for
 * arguments of this program, and in quotes and braces some of them end glibc's wordexp.  */
static bool is_plain(const char *word)
{
    bool quoted = false;

    while (*word != '\0') {
        size_t length = 1;

        if (*word == '$' && word[1] != '\0')
            length = variable_length(word);
        else if (*word == '\'' && !quoted)
            length = (size_t)(skip_quoted(word) - word);
        else if (*word == '\\' && word[1] != '\0')
            length = 2;
        quoted ^= *word == '"';
        if (length == 0)
            return false;
        word += length;
    }
    return true;
}

/* Adds what LENGTH bytes of a command stand for, if that can be known.  No command
 * is run for it, and the environment stays as it is.  */
static void add_expanded(const char *text, size_t length, struct text_list *words)
{
    char *word = memory_printf("%.*s", (int)length, text);
    wordexp_t expanded;
    int failure = is_plain(word) ? wordexp(word, &expanded, WRDE_NOCMD | WRDE_UNDEF) : WRDE_BADVAL;

    free(word);
    if (failure == WRDE_NOSPACE)
        memory_exhausted();
    if (failure != 0)
        return;
    for (size_t i = 0; i < expanded.we_wordc; i++)
        text_list_add(words, expanded.we_wordv[i]);
    wordfree(&expanded);
}

void shell_words(const char *command, struct text_list *words)
{
    const char *at = command;
    bool output = false; /* the word after > or >> or >| or >& */

    while (*at != '\0') {
        if (is_one_of(*at, blanks)) {
            at++;
        } else if (is_one_of(*at, operators)) {
            output = *at == '>' || (output && at[-1] == '>' && is_one_of(*at, "|&"));
            at++;
        } else if (*at == '#') {
            at += strcspn(at, "\n");
        } else {
            const char *end = skip_word(at);

            if (!output)
                add_expanded(at, (size_t)(end - at), words);
            output = false;
            at = end;
        }
    }
}
