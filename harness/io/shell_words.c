/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/shell_words.h"

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

/* Adds what LENGTH bytes of a command stand for, if that can be known.  No command
 * is run for it.  */
static void add_expanded(const char *text, size_t length, struct text_list *words)
{
    char *word = memory_printf("%.*s", (int)length, text);
    wordexp_t expanded;
    int failure = wordexp(word, &expanded, WRDE_NOCMD | WRDE_UNDEF);

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
