/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choices of all that is registered: each word is its own constant, and no other
 * word is taken.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "solvers/solver.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* Words and constants that stand in the list before CHOICE are others.  */
static bool is_new(const struct param *param, const struct param_choice *choice)
{
    for (const struct param_choice *at = param->choices; at < choice; at++)
        if (strcmp(at->word, choice->word) == 0 || at->value == choice->value)
            return false;
    return true;
}

/* PARAM alone, set to WORD, stands for VALUE; NULL: it is refused.  */
static void check_word(const char *what, const struct param *param, const char *word,
                       const unsigned *value)
{
    const struct param alone[] = {*param, PARAM_END}, *table = alone;
    char *setting = memory_printf("%s=%s", param->name, word);
    struct params params;
    struct error error = {""};

    if (!params_parse(&params, what, setting, &table, 1, &error)) {
        ok(value == NULL && strstr(error.text, "expected one of ") != NULL, "%s: %s is refused",
           what, setting);
    } else {
        ok(value != NULL && params_choice(&params, param->name) == *value, "%s: %s", what, setting);
        params_clear(&params);
    }
    free(setting);
}

static void check_table(const char *what, const struct param *table)
{
    for (const struct param *param = table; param != NULL && param->name != NULL; param++) {
        bool fresh = true, has_default = param->initial == NULL;
        char *words;

        if (param->type != PARAM_CHOICE)
            continue;
        for (const struct param_choice *at = param->choices; at->word != NULL; at++) {
            fresh = fresh && is_new(param, at);
            has_default = has_default || strcmp(at->word, param->initial) == 0;
            check_word(what, param, at->word, &at->value);
        }
        ok(fresh && has_default, "%s: %s has words and constants of their own, and its default",
           what, param->name);
        ok((strcmp(param->choices[0].word, "on") != 0 &&
            strcmp(param->choices[1].word, "on") != 0) ||
               param->choices[2].word != NULL || param->choices == param_switch,
           "%s: %s, if it is on or off and nothing else, is a switch", what, param->name);
        words = param_words(param);
        check_word(what, param, words, NULL);
        check_word(what, param, "", NULL);
        check_word(what, param, "0", NULL);
        free(words);
    }
}

int main(void)
{
    const struct param *table[WORKLOAD_MAX_TABLES];

    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        check_table(entry->solver->name, entry->solver->params);
    for (size_t g = 0; generator_registry[g] != NULL; g++)
        check_table(generator_registry[g]->name, generator_registry[g]->params);
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t t = network_family_tables(network_registry[f], table); t-- > 0;)
            check_table(network_registry[f]->model[0].name, table[t]);
    for (size_t r = 0; reader_registry[r] != NULL; r++)
        for (size_t t = reader_tables(reader_registry[r], table); t-- > 0;)
            check_table(reader_registry[r]->name, table[t]);
    for (const struct conv_kernel_entry *entry = conv_kernel_registry; entry->kernel != NULL;
         entry++)
        check_table(entry->kernel->name, entry->kernel->params);
    return tap_done();
}
