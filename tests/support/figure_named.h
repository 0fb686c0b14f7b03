/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures and tables of the report by their names.  */
#ifndef ARENABENCH_TESTS_SUPPORT_FIGURE_NAMED_H
#define ARENABENCH_TESTS_SUPPORT_FIGURE_NAMED_H

struct figure;

/* The one of REGISTRY (figure_registry or table_registry); none ends the program.  */
const struct figure *figure_named(const struct figure *registry, const char *name);

#endif
