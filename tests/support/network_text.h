/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Little networks as text, for tests that work them out by hand.  */
#ifndef ARENABENCH_TESTS_SUPPORT_NETWORK_TEXT_H
#define ARENABENCH_TESTS_SUPPORT_NETWORK_TEXT_H

struct instance;
struct lifetime_options;
struct network;
struct schedule;

/* The network NAME of TEXT, such as "x:8; w*:5; a:8 = relu(x); low:4 high?:4 = split(a); y!:2x3 =
 * other(low, w)": values with their bytes (or dimensions) and, behind "=", the operator that makes
 * them, which is called as the first of them.  Marks: * a weight, ! a network output, ? optional.
 * The word is the operator's type: relu, add, sub, mul, mixed (of several inputs), batch_norm,
 * softmax, concat, split, alias or conv; any other is an operator of whose kind nothing is known.
 * Another text ends the program.  */
struct network *network_of_text(const char *name, const char *text);

/* The lifetimes of NETWORK under SCHEDULE (NULL: the order of its operators), both of which go with
 * them; where there are none the program ends.  */
struct instance *lifetimes_of(struct network *network, struct schedule *schedule,
                              const struct lifetime_options *options);

#endif
