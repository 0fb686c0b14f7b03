/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network in double, whose run that in single precision is held against (compare.h).  */
#ifndef ARENABENCH_RUNTIME_WIDE_H
#define ARENABENCH_RUNTIME_WIDE_H

struct network;

/* NETWORK with f64 wherever it has f32, stored values included; places among elements stay those of
 * single precision (`widened` of struct computation), or another element would be looked up.  The
 * caller frees it.  */
struct network *network_widened(const struct network *network);

#endif
