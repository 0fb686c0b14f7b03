/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/nodes.h"
#include "lib/base/memory.h"

/* NULL where there is none to be had.  */
static hwloc_topology_t load(void)
{
    hwloc_topology_t topology;

    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    if (hwloc_topology_load(topology) == 0)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

/* A processor may be near two kinds of memory, of which the first is the usual one.  */
static bool find(hwloc_topology_t topology, struct placement_spot *spot)
{
    const hwloc_obj_t processor = hwloc_get_pu_obj_by_os_index(topology, (unsigned)spot->processor);
    hwloc_obj_t core;

    if (processor == NULL)
        return false;
    core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, processor);
    spot->core = (int)(core != NULL ? core : processor)->logical_index;
    spot->node = hwloc_bitmap_first(processor->nodeset);
    return spot->node >= 0;
}

bool nodes_find(struct placement_spot *spot, size_t count)
{
    hwloc_topology_t topology = load();
    struct placement_spot *found;
    bool all = true;

    if (topology == NULL)
        return false;
    found = memory_alloc(count, sizeof *found);
    memcpy(found, spot, count * sizeof *found);
    for (size_t i = 0; all && i < count; i++)
        all = find(topology, &found[i]);
    hwloc_topology_destroy(topology);
    if (all)
        memcpy(spot, found, count * sizeof *found);
    free(found);
    return all;
}

bool nodes_interleave(const cpu_set_t *processors)
{
    hwloc_topology_t topology = load();
    hwloc_bitmap_t set;
    bool done;

    if (topology == NULL)
        return false;
    set = hwloc_bitmap_alloc();
    done = set != NULL &&
           hwloc_cpuset_from_glibc_sched_affinity(topology, set, processors, sizeof *processors) ==
               0 &&
           hwloc_set_membind(topology, set, HWLOC_MEMBIND_INTERLEAVE, 0) == 0;
    hwloc_bitmap_free(set);
    hwloc_topology_destroy(topology);
    return done;
}
