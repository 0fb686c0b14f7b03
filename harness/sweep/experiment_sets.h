/* What the texts of an experiment's file stand for: workloads and solvers,
 * layers and kernels.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_SETS_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_SETS_H

#include <stdbool.h>

#include "harness/sweep/experiment.h"

/* Adds all that TEXT, with braces and names that begin with @, stands for, to
 * SET.  False with a message without file and line.  */
typedef bool experiment_add(struct experiment_set *set, const char *text, struct error *error);

experiment_add experiment_add_workloads;
experiment_add experiment_add_solvers;
experiment_add experiment_add_layers;
experiment_add experiment_add_kernels;
experiment_add experiment_add_isa; /* one, or all that the machine has */

void experiment_set_clear(struct experiment_set *set);
void experiment_layers_clear(struct experiment_layers *layers);

/* Expands `@WORD...` with each of NAMES in place of @WORD, or TEXT itself.  */
bool experiment_expand(const char *text, const char *word, const struct text_list *names,
                       struct text_list *list, struct error *error);
/* The same with the networks that `@networks` stands for.  */
bool experiment_expand_networks(const char *text, struct text_list *list, struct error *error);

#endif
