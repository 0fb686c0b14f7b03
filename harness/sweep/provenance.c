/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/provenance.h"

#include <gnu/libc-version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/buildinfo.h"
#include "harness/io/left_out.h"
#include "harness/io/placement.h"
#include "harness/run/run.h"
#include "harness/store/store.h"
#include "harness/sweep/experiment.h"
#include "kernels/kernel.h"
#include "lib/base/glpk_flow.h"
#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/base/rng.h"

void provenance_add(struct provenance *provenance, const char *name, const char *format, ...)
{
    va_list args;
    char *value;

    va_start(args, format);
    if (vasprintf(&value, format, args) < 0)
        memory_exhausted();
    va_end(args);
    provenance->pair = memory_grow(provenance->pair, &provenance->capacity, provenance->n + 1,
                                   sizeof *provenance->pair);
    provenance->pair[provenance->n++] = (struct store_pair){memory_strdup(name), value};
}

void provenance_clear(struct provenance *provenance)
{
    for (size_t i = 0; i < provenance->n; i++) {
        free((char *)provenance->pair[i].name);
        free((char *)provenance->pair[i].value);
    }
    free(provenance->pair);
    *provenance = (struct provenance){0};
}

/* The first line of a file, or NULL; the caller frees it.  */
static char *first_line(const char *path)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;

    if (in == NULL)
        return NULL;
    if (getline(&line, &capacity, in) <= 0) {
        free(line);
        line = NULL;
    } else {
        line[strcspn(line, "\n")] = '\0';
    }
    fclose(in);
    return line;
}

/* What stands behind `NAME :` in /proc/cpuinfo, of the first processor.  */
static char *cpuinfo(const char *name)
{
    FILE *in = fopen("/proc/cpuinfo", "r");
    char *line = NULL, *value = NULL;
    size_t capacity = 0, length = strlen(name);

    while (in != NULL && value == NULL && getline(&line, &capacity, in) > 0) {
        const char *colon = strchr(line, ':');

        if (colon == NULL || strncmp(line, name, length) != 0 ||
            strspn(line + length, " \t") != (size_t)(colon - line) - length)
            continue;
        line[strcspn(line, "\n")] = '\0';
        value = memory_strdup(colon + 1 + (colon[1] == ' '));
    }
    if (in != NULL)
        fclose(in);
    free(line);
    return value;
}

static void add_or_unknown(struct provenance *provenance, const char *name, char *value)
{
    provenance_add(provenance, name, "%s", value == NULL ? "unknown" : value);
    free(value);
}

/* The instruction sets beyond the first 64-bit processors' that matter to
 * numerical code.  */
static char *instruction_sets(void)
{
    static const char *const wanted[] = {"ssse3", "sse4_1", "sse4_2", "avx", "avx2",
                                         "fma",   "f16c",   "popcnt", "bmi2"};
    char *flags = cpuinfo("flags"), *rest = flags, *flag, *text = memory_strdup("");

    while ((flag = strsep(&rest, " ")) != NULL) {
        bool take = strncmp(flag, "avx512", 6) == 0 || strncmp(flag, "amx", 3) == 0;

        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            take = take || strcmp(flag, wanted[i]) == 0;
        if (!take)
            continue;
        text = memory_append(text, "%s%s", text[0] == '\0' ? "" : " ", flag);
    }
    free(flags);
    return text;
}

/* "L1 Data 32K, L2 Unified 2048K, ..." of the first processor.  */
static char *caches(void)
{
    char *text = memory_strdup("");

    for (int i = 0; i < 16; i++) {
        char path[96], *level, *type, *size;

        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", i);
        level = first_line(path);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", i);
        type = first_line(path);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        size = first_line(path);
        if (level != NULL && type != NULL && size != NULL)
            text =
                memory_append(text, "%sL%s %s %s", text[0] == '\0' ? "" : ", ", level, type, size);
        free(level);
        free(type);
        free(size);
    }
    if (text[0] != '\0')
        return text;
    free(text);
    return NULL;
}

static void add_machine(struct provenance *provenance)
{
    double load[3] = {0.0, 0.0, 0.0};
    struct utsname system;

    add_or_unknown(provenance, "processor", cpuinfo("model name"));
    add_or_unknown(provenance, "microcode", cpuinfo("microcode"));
    add_or_unknown(provenance, "instruction_sets", instruction_sets());
    add_or_unknown(provenance, "caches", caches());
    provenance_add(provenance, "cores", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    add_or_unknown(provenance, "placement", placement_text());
    add_or_unknown(provenance, "governor",
                   first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    provenance_add(provenance, "memory_bytes", "%lld",
                   (long long)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
    if (uname(&system) == 0)
        provenance_add(provenance, "kernel", "%s %s %s", system.sysname, system.release,
                       system.machine);
    add_or_unknown(provenance, "memory_limits", run_limits_text());
    if (getloadavg(load, 3) == 3)
        provenance_add(provenance, "load_average", "%.2f %.2f %.2f", load[0], load[1], load[2]);
}

/* The libraries that kernels were built against; some have blanks around their version.  */
static void add_peers(struct provenance *provenance)
{
    for (const struct conv_kernel_entry *e = conv_kernel_registry; e->kernel != NULL; e++) {
        const char *version = e->kernel->version;
        size_t length;
        char *name;

        if (version == NULL)
            continue;
        version += strspn(version, " ");
        length = strlen(version);
        while (length > 0 && version[length - 1] == ' ')
            length--;
        name = memory_printf("peer %s", e->kernel->name);
        provenance_add(provenance, name, "%.*s", (int)length, version);
        free(name);
    }
}

static void add_program(struct provenance *provenance)
{
    char *missing = left_out();

    provenance_add(provenance, "version", "%s", BUILD_VERSION);
    provenance_add(provenance, "commit", "%s", BUILD_COMMIT);
    provenance_add(provenance, "changes", "%s", BUILD_CHANGES);
    provenance_add(provenance, "compiler", "%s", BUILD_COMPILER);
    provenance_add(provenance, "cflags", "%s", BUILD_CFLAGS);
    provenance_add(provenance, "configure", "%s", BUILD_CONFIGURE);
    provenance_add(provenance, "libc", "glibc %s", gnu_get_libc_version());
    provenance_add(provenance, "glpk", "%s", flow_library_version());
    provenance_add(provenance, "gsl", "%s", rng_library_version());
    provenance_add(provenance, "sqlite", "%s", store_library_version());
    provenance_add(provenance, "libconfig", "%s", experiment_library_version());
    provenance_add(provenance, "random_numbers", "%s", rng_name());
    provenance_add(provenance, "left_out", "%s", missing[0] == '\0' ? "nothing" : missing);
    free(missing);
    add_peers(provenance);
}

/* The call as one line for people; arguments with special characters stand in
 * quotes.  */
static void add_call(struct provenance *provenance, int argc, char *const *argv)
{
    char *text = memory_strdup("arenabench");
    char date[32] = "unknown";
    time_t now = time(NULL);
    struct tm utc;

    for (int i = 0; i < argc; i++) {
        bool plain = argv[i][0] != '\0' && strpbrk(argv[i], " \t\n'\"\\$`*?[](){}<>|&;#~!") == NULL;

        text = memory_append(text, plain ? " %s" : " '%s'", argv[i]);
    }
    provenance_add(provenance, "command_line", "%s", text);
    free(text);
    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    provenance_add(provenance, "date", "%s", date);
    provenance_add(provenance, "data", "%s", real_inputs_origin());
}

void provenance_collect(struct provenance *provenance, int argc, char *const *argv)
{
    *provenance = (struct provenance){0};
    add_program(provenance);
    add_machine(provenance);
    add_call(provenance, argc, argv);
}
