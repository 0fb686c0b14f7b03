/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/glpk_common.h"

#include <limits.h>
#include <setjmp.h>
#include <string.h>

#include <glpk.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

struct guard {
    jmp_buf jump;
    struct error said; /* the last lines that GLPK printed before it gave up */
};

/* Keeps what GLPK prints once it is in its error state, and swallows all of
 * it: an error turns GLPK's terminal output on, whatever the settings.  */
static int swallow(void *context, const char *text)
{
    struct guard *guard = context;
    size_t used = strlen(guard->said.text), length = strlen(text);

    if (glp_at_error() && length < sizeof guard->said.text - used)
        memcpy(guard->said.text + used, text, length + 1);
    return 1;
}

static void leave(void *context)
{
    struct guard *guard = context;

    longjmp(guard->jump, 1);
}

static void set_memory_limit(int64_t bytes)
{
    /* GLPK counts in whole MiB; INT_MAX of them is no limit.  */
    glp_mem_limit(bytes <= 0 ? INT_MAX : (int)max64(1, min64(bytes >> 20, INT_MAX)));
}

/* The messages of GLPK's allocator (env/alloc.c) when it is out of memory.  */
static bool says_out_of_memory(const char *text)
{
    return strstr(text, "no memory available") != NULL ||
           strstr(text, "memory allocation limit exceeded") != NULL ||
           strstr(text, "block too large") != NULL;
}

static void one_line(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\n')
            *at = ' ';
}

/* False when GLPK left BODY by a jump.  No object of this function changes
 * between setjmp and the jump: then its value would be indeterminate.  */
static bool run_guarded(struct guard *guard, void (*body)(void *context), void *context)
{
    if (setjmp(guard->jump) != 0)
        return false;
    body(context);
    return true;
}

bool glpk_protect(void (*body)(void *context), void *context, int64_t memory_bytes,
                  struct error *error)
{
    struct guard guard = {.said = {""}};

    if (glp_init_env() == 2) /* the manual: initialization failed, no memory */
        memory_exhausted();
    set_memory_limit(memory_bytes);
    glp_term_hook(swallow, &guard);
    glp_error_hook(leave, &guard);
    if (!run_guarded(&guard, body, context)) {
        glp_free_env();
        if (says_out_of_memory(guard.said.text))
            memory_exhausted();
        one_line(guard.said.text);
        return error_set(error, "GLPK gave up: %s", guard.said.text);
    }
    glp_error_hook(NULL, NULL);
    glp_term_hook(NULL, NULL);
    set_memory_limit(0);
    return true;
}
