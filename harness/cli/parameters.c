/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "workloads/workload.h"

/* Columns of a line of help, and of what it begins with.  */
enum { COLUMNS = 100, INDENT = 6 };

char *parameter_text(const struct param *param)
{
    char *words = param->type == PARAM_CHOICE ? param_words(param) : NULL;
    const char *values = words != NULL ? words : param->initial;
    char *text;

    if (strcmp(param->name, PARAM_OTHER) == 0)
        text = memory_strdup("NAME=NUMBER");
    else
        text = values != NULL ? memory_printf("%s=%s", param->name, values)
                              : memory_strdup(param->name);
    free(words);
    return text;
}

/* TEXT in lines that are broken at blanks.  */
static void print_lines(const char *text, FILE *out)
{
    while (*text != '\0') {
        size_t length = strlen(text);

        if (length > COLUMNS - INDENT) {
            for (length = COLUMNS - INDENT; length > 0 && text[length] != ' ';)
                length--;
            if (length == 0) /* one word */
                length = strcspn(text, " ");
        }
        fprintf(out, "%*s%.*s\n", INDENT, "", (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
}

static void explain(const struct param *table, FILE *out)
{
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        char *text = parameter_text(p);

        fprintf(out, "  %s\n", text);
        print_lines(p->help, out);
        free(text);
    }
}

static void print_models(const struct network_family *family, FILE *out)
{
    fputs("\nOf ", out);
    for (const struct network_model *model = family->model; model->name != NULL; model++)
        fprintf(out, "%s%s", model == family->model ? "" : ", ", model->name);
    fputs(":\n", out);
}

void parameters_explain_networks(FILE *out)
{
    fputs("\nAll take these parameters, as in resnet50:batch=8,io=both.  What stands first is the "
          "default.\n",
          out);
    explain(network_common_params, out);
    explain(rewrite_params, out);
    explain(network_head_params, out);
    explain(lifetime_params, out);
    for (size_t f = 0; network_registry[f] != NULL; f++)
        if (network_registry[f]->params != NULL) {
            print_models(network_registry[f], out);
            explain(network_registry[f]->params, out);
        }
}

void parameters_explain_readers(FILE *out)
{
    for (size_t r = 0; reader_registry[r] != NULL; r++)
        if (reader_registry[r]->params != NULL) {
            fprintf(out, "\nOf %s:\n", reader_registry[r]->name);
            explain(reader_registry[r]->params, out);
        }
    fputs("\nAll files of models take these too, as in model.onnx:fuse=all,io=both.  What stands "
          "first is\nthe default.\n",
          out);
    explain(rewrite_params, out);
    explain(lifetime_params, out);
}
