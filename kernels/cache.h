/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor's caches, as the system describes them.  */
#ifndef ARENABENCH_KERNELS_CACHE_H
#define ARENABENCH_KERNELS_CACHE_H

#include <stdint.h>

/* Where Linux describes those of the first processor.  */
#define CACHE_FOLDER "/sys/devices/system/cpu/cpu0/cache"

/* Bytes of the last level of cache that FOLDER describes: of the highest level, one that
 * data is in.  0: it describes none.  */
int64_t cache_last_level(const char *folder);

#endif
