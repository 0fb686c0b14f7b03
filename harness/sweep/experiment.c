/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiment files: the only file that knows libconfig.
 *
 * Settings that libconfig read are checked here one by one, so that each
 * message can name the file and the line.  */
#include <config.h>

#include "harness/sweep/experiment.h"

#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/figure.h"
#include "harness/sweep/experiment_fits.h"
#include "harness/sweep/experiment_layers.h"
#include "lib/base/memory.h"

/* Workloads x solvers x seeds x repetitions of one size.  */
#define MOST_TASKS 1000000

/* Which keys there are, where they may stand, and what they hold.  */
enum key_type { KEY_TEXT, KEY_TEXTS, KEY_FLAG, KEY_INT, KEY_INTS, KEY_NUMBER, KEY_GROUP };

static const char *const type_text[] = {
    [KEY_TEXT] = "a text",
    [KEY_TEXTS] = "a list of texts",
    [KEY_FLAG] = "true or false",
    [KEY_INT] = "a whole number",
    [KEY_INTS] = "a list of whole numbers",
    [KEY_NUMBER] = "a number",
    [KEY_GROUP] = "a group",
};

static const struct key {
    const char *name;
    enum key_type type;
    bool of_set; /* may stand in quick and full too */
    double low, high;
} keys[] = {
    {"name", KEY_TEXT, false, 0, 0},           {"kind", KEY_TEXT, false, 0, 0},
    {"title", KEY_TEXT, false, 0, 0},          {"description", KEY_TEXT, false, 0, 0},
    {"figures", KEY_TEXTS, false, 0, 0},       {"timing", KEY_FLAG, false, 0, 0},
    {"quick", KEY_GROUP, false, 0, 0},         {"full", KEY_GROUP, false, 0, 0},
    {"workloads", KEY_TEXTS, true, 0, 0},      {"solvers", KEY_TEXTS, true, 0, 0},
    {"layers", KEY_TEXTS, true, 0, 0},         {"kernels", KEY_TEXTS, true, 0, 0},
    {"memories", KEY_TEXTS, true, 0, 0},       {"isas", KEY_TEXTS, true, 0, 0},
    {"rounds_least", KEY_INT, true, 6, 1e4},   {"rounds_most", KEY_INT, true, 6, 1e4},
    {"spread", KEY_NUMBER, true, 1e-6, 1},     {"final_best", KEY_INT, true, 0, 8},
    {"final_rounds", KEY_INT, true, 6, 1e4},   {"rounds", KEY_INT, true, 0, 1e4},
    {"all_pairs", KEY_FLAG, true, 0, 0},       {"time_limit_s", KEY_NUMBER, true, 0, 1e6},
    {"cpu_limit_s", KEY_NUMBER, true, 0, 1e9}, {"memory_limit_mib", KEY_INT, true, 1, 1e9},
    {"work_limit", KEY_INT, true, 1, 1e18},    {"seeds", KEY_INTS, true, 1, UINT32_MAX},
    {"repetitions", KEY_INT, true, 1, 1e6},    {"budget_s", KEY_NUMBER, true, 0, 1e9},
};

#define N_KEYS (sizeof keys / sizeof keys[0])

/* What the functions below share while they read one file.  */
struct reading {
    const char *path;
    config_setting_t *root;
    struct error *error;
};

const char *experiment_size_name(enum experiment_size size)
{
    return size == EXPERIMENT_QUICK ? "quick" : "full";
}

const char *experiment_library_version(void)
{
#define VERSION_TEXT(major, minor, revision) #major "." #minor "." #revision
#define VERSION_OF(major, minor, revision) VERSION_TEXT(major, minor, revision)
    return VERSION_OF(LIBCONFIG_VER_MAJOR, LIBCONFIG_VER_MINOR, LIBCONFIG_VER_REVISION);
}

/* Puts the place before the message that is there.  */
static bool refuse(const struct reading *reading, const config_setting_t *setting)
{
    if (config_setting_is_root(setting))
        return error_prefix(reading->error, "%s", reading->path);
    return error_prefix(reading->error, "%s:%u", reading->path,
                        config_setting_source_line(setting));
}

/* --- checking --- */

static bool type_fits(const config_setting_t *setting, enum key_type type);

static bool list_fits(const config_setting_t *setting, enum key_type type)
{
    bool fits = config_setting_is_array(setting) || config_setting_is_list(setting);

    for (int i = 0; fits && i < config_setting_length(setting); i++)
        fits = type_fits(config_setting_get_elem(setting, (unsigned)i), type);
    return fits;
}

static bool type_fits(const config_setting_t *setting, enum key_type type)
{
    const int is = config_setting_type(setting);

    switch (type) {
    case KEY_TEXT:
        return is == CONFIG_TYPE_STRING;
    case KEY_TEXTS:
        return list_fits(setting, KEY_TEXT);
    case KEY_FLAG:
        return is == CONFIG_TYPE_BOOL;
    case KEY_INT:
        return is == CONFIG_TYPE_INT || is == CONFIG_TYPE_INT64;
    case KEY_INTS:
        return list_fits(setting, KEY_INT) && config_setting_length(setting) > 0;
    case KEY_NUMBER:
        return is == CONFIG_TYPE_FLOAT || type_fits(setting, KEY_INT);
    case KEY_GROUP:
        return config_setting_is_group(setting);
    }
    return false;
}

/* A number of any type.  */
static double number(const config_setting_t *setting)
{
    if (config_setting_type(setting) == CONFIG_TYPE_FLOAT)
        return config_setting_get_float(setting);
    return (double)config_setting_get_int64(setting);
}

/* Every number in the setting lies in its key's range.  */
static bool check_range(const struct key *key, const config_setting_t *setting, struct error *error)
{
    int count = key->type == KEY_INTS ? config_setting_length(setting) : 1;

    if (key->type != KEY_INT && key->type != KEY_NUMBER && key->type != KEY_INTS)
        return true;
    for (int i = 0; i < count; i++) {
        const config_setting_t *one =
            key->type == KEY_INTS ? config_setting_get_elem(setting, (unsigned)i) : setting;

        if (!(number(one) >= key->low && number(one) <= key->high))
            return error_set(error, "%s: expected %s from %.16g to %.16g", key->name,
                             type_text[key->type], key->low, key->high);
    }
    return true;
}

static bool unknown_key(const char *name, bool in_set, struct error *error)
{
    const char *names[N_KEYS];
    size_t count = 0;

    for (size_t k = 0; k < N_KEYS; k++)
        if (!in_set || keys[k].of_set)
            names[count++] = keys[k].name;
    return error_unknown(error, "setting", name, names, count, "");
}

/* Every setting of GROUP is known and of its type.  */
static bool check_group(const struct reading *reading, const config_setting_t *group, bool in_set)
{
    for (int i = 0; i < config_setting_length(group); i++) {
        config_setting_t *setting = config_setting_get_elem(group, (unsigned)i);
        const char *name = config_setting_name(setting);
        size_t k = 0;

        while (k < N_KEYS && (strcmp(keys[k].name, name) != 0 || (in_set && !keys[k].of_set)))
            k++;
        if (k == N_KEYS) {
            unknown_key(name, in_set, reading->error);
            return refuse(reading, setting);
        }
        if (!type_fits(setting, keys[k].type)) {
            error_set(reading->error, "%s: expected %s", name, type_text[keys[k].type]);
            return refuse(reading, setting);
        }
        if (!check_range(&keys[k], setting, reading->error))
            return refuse(reading, setting);
        if (keys[k].type == KEY_GROUP && !check_group(reading, setting, true))
            return false;
    }
    return true;
}

/* --- reading what was checked --- */

/* The setting of one size, or the one for both, or NULL.  */
static config_setting_t *find(const struct reading *reading, const config_setting_t *group,
                              const char *name)
{
    config_setting_t *setting = config_setting_get_member(group, name);

    return setting != NULL ? setting : config_setting_get_member(reading->root, name);
}

static bool required(const struct reading *reading, const config_setting_t *group, const char *name,
                     config_setting_t **setting)
{
    *setting = find(reading, group, name);
    if (*setting != NULL)
        return true;
    error_set(reading->error, "'%s' is missing", name);
    return refuse(reading, group);
}

static double find_number(const struct reading *reading, const config_setting_t *group,
                          const char *name, double missing)
{
    config_setting_t *setting = find(reading, group, name);

    return setting == NULL ? missing : number(setting);
}

static int64_t find_int(const struct reading *reading, const config_setting_t *group,
                        const char *name, int64_t missing)
{
    config_setting_t *setting = find(reading, group, name);

    return setting == NULL ? missing : config_setting_get_int64(setting);
}

static bool find_flag(const struct reading *reading, const config_setting_t *group,
                      const char *name, bool missing)
{
    config_setting_t *setting = find(reading, group, name);

    return setting == NULL ? missing : config_setting_get_bool(setting) != 0;
}

static void read_seeds(const config_setting_t *setting, struct experiment_set *set)
{
    set->n_seeds = setting == NULL ? 1 : (size_t)config_setting_length(setting);
    set->seed = memory_alloc(set->n_seeds, sizeof *set->seed);
    set->seed[0] = 1;
    for (int i = 0; setting != NULL && i < config_setting_length(setting); i++)
        set->seed[i] =
            (uint32_t)config_setting_get_int64(config_setting_get_elem(setting, (unsigned)i));
}

/* Calls ADD for each text of the setting NAME.  */
static bool read_texts(const struct reading *reading, const config_setting_t *setting,
                       struct experiment_set *set, experiment_add *add)
{
    for (int i = 0; i < config_setting_length(setting); i++) {
        config_setting_t *one = config_setting_get_elem(setting, (unsigned)i);

        if (!add(set, config_setting_get_string(one), reading->error))
            return refuse(reading, one);
    }
    return true;
}

/* Of planners, of kernels, or of runs and of several memories, which have planners too.  */
bool experiment_check_tasks(const struct experiment_set *set, struct error *error)
{
    const struct experiment_layers *l = &set->layers;
    const size_t each = set->runs.n_kernels + set->fits.n_memories;
    const double kernels = each == 0 ? 1.0 : (double)each;
    double tasks = (double)set->n_workloads * (double)set->solvers.count * kernels *
                       (double)set->n_seeds * (double)set->repetitions +
                   (double)l->n_layers * (double)l->n_kernels * ISA_COUNT;

    return tasks <= MOST_TASKS || error_set(error, "%.0f tasks: at most %d", tasks, MOST_TASKS);
}

static bool check_tasks(const struct reading *reading, const config_setting_t *group,
                        const struct experiment_set *set)
{
    return experiment_check_tasks(set, reading->error) || refuse(reading, group);
}

static bool read_planners(const struct reading *reading, const config_setting_t *group,
                          struct experiment_set *set)
{
    config_setting_t *workloads, *solvers;

    return required(reading, group, "workloads", &workloads) &&
           required(reading, group, "solvers", &solvers) &&
           read_texts(reading, workloads, set, experiment_add_workloads) &&
           read_texts(reading, solvers, set, experiment_add_solvers) &&
           check_tasks(reading, group, set);
}

static bool read_kernels(const struct reading *reading, const config_setting_t *group,
                         struct experiment_set *set)
{
    struct experiment_layers *l = &set->layers;
    config_setting_t *layers, *kernels, *isas = find(reading, group, "isas");

    l->rounds_least = find_int(reading, group, "rounds_least", 6);
    l->rounds_most = find_int(reading, group, "rounds_most", 21);
    l->spread = find_number(reading, group, "spread", 0.02);
    l->final_best = find_int(reading, group, "final_best", 4);
    l->final_rounds = find_int(reading, group, "final_rounds", 15);
    if (!required(reading, group, "layers", &layers) ||
        !required(reading, group, "kernels", &kernels) ||
        !read_texts(reading, layers, set, experiment_add_layers) ||
        !read_texts(reading, kernels, set, experiment_add_kernels))
        return false;
    if (isas == NULL)
        return experiment_add_isa(set, "all", reading->error);
    return read_texts(reading, isas, set, experiment_add_isa) && check_tasks(reading, group, set);
}

static bool read_runs(const struct reading *reading, const config_setting_t *group,
                      struct experiment_set *set)
{
    config_setting_t *kernels;

    set->runs.all_pairs = find_flag(reading, group, "all_pairs", true);
    set->runs.rounds = find_int(reading, group, "rounds", 0);
    return required(reading, group, "kernels", &kernels) &&
           read_texts(reading, kernels, set, experiment_add_run_kernels) &&
           read_planners(reading, group, set);
}

static bool read_fits(const struct reading *reading, const config_setting_t *group,
                      struct experiment_set *set)
{
    config_setting_t *workloads, *solvers, *memories;

    return required(reading, group, "workloads", &workloads) &&
           required(reading, group, "solvers", &solvers) &&
           required(reading, group, "memories", &memories) &&
           read_texts(reading, workloads, set, experiment_add_workloads) &&
           read_texts(reading, solvers, set, experiment_add_splitters) &&
           read_texts(reading, memories, set, experiment_add_memories) &&
           check_tasks(reading, group, set);
}

static bool read_set(const struct reading *reading, enum experiment_size size,
                     enum experiment_kind kind, struct experiment_set *set)
{
    config_setting_t *group, *time, *budget;

    if (!required(reading, reading->root, experiment_size_name(size), &group) ||
        !required(reading, group, "time_limit_s", &time) ||
        !required(reading, group, "budget_s", &budget))
        return false;
    set->limits.time_s = number(time);
    set->limits.cpu_s = find_number(reading, group, "cpu_limit_s", 0);
    set->limits.memory_bytes = find_int(reading, group, "memory_limit_mib", 0) * 1048576;
    set->limits.work = find_int(reading, group, "work_limit", 0);
    set->repetitions = find_int(reading, group, "repetitions", 1);
    set->budget_s = find_number(reading, group, "budget_s", 0);
    read_seeds(find(reading, group, "seeds"), set);
    switch (kind) {
    case EXPERIMENT_CONV:
        return read_kernels(reading, group, set);
    case EXPERIMENT_RUN:
        return read_runs(reading, group, set);
    case EXPERIMENT_FIT:
        return read_fits(reading, group, set);
    case EXPERIMENT_PLAN:
        break;
    }
    return read_planners(reading, group, set);
}

const char *experiment_kind_name(enum experiment_kind kind)
{
    static const char *const name[] = {[EXPERIMENT_PLAN] = "plan",
                                       [EXPERIMENT_CONV] = "conv",
                                       [EXPERIMENT_RUN] = "run",
                                       [EXPERIMENT_FIT] = "fit"};

    return name[kind];
}

static bool read_kind(const struct reading *reading, enum experiment_kind *kind)
{
    config_setting_t *setting = config_setting_get_member(reading->root, "kind");
    const char *text = setting == NULL ? "plan" : config_setting_get_string(setting);

    for (*kind = EXPERIMENT_PLAN; *kind <= EXPERIMENT_FIT; (*kind)++)
        if (strcmp(text, experiment_kind_name(*kind)) == 0)
            return true;
    error_set(reading->error, "kind: '%s', expected plan, conv, run or fit", text);
    return refuse(reading, setting);
}

bool experiment_check_name(const char *name, struct error *error)
{
    if (name[0] != '\0' && name[0] != '-' &&
        name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")] ==
            '\0')
        return true;
    return error_set(error, "name: expected letters, digits, '-' and '_'");
}

void experiment_add_figures(enum experiment_kind kind, struct text_list *list)
{
    const struct figure *const registries[] = {figure_registry, table_registry};
    const char *shape = experiment_kind_name(kind);

    for (size_t r = 0; r < 2; r++)
        for (const struct figure *figure = registries[r]; figure->name != NULL; figure++)
            if (strcmp(figure->shape, shape) == 0)
                text_list_add(list, figure->name);
}

static bool read_figures(const struct reading *reading, enum experiment_kind kind,
                         struct text_list *list)
{
    config_setting_t *figures = config_setting_get_member(reading->root, "figures");

    if (figures == NULL)
        experiment_add_figures(kind, list);
    for (int i = 0; figures != NULL && i < config_setting_length(figures); i++) {
        const char *name = config_setting_get_string_elem(figures, i);

        if (!figure_check_listed(name, reading->error))
            return refuse(reading, config_setting_get_elem(figures, (unsigned)i));
        text_list_add(list, name);
    }
    return true;
}

static bool read_experiment(const struct reading *reading, struct experiment *experiment)
{
    config_setting_t *name, *title, *description;

    if (!check_group(reading, reading->root, false) ||
        !required(reading, reading->root, "name", &name) ||
        !required(reading, reading->root, "title", &title))
        return false;
    if (!experiment_check_name(config_setting_get_string(name), reading->error))
        return refuse(reading, name);
    description = config_setting_get_member(reading->root, "description");
    experiment->name = memory_strdup(config_setting_get_string(name));
    experiment->title = memory_strdup(config_setting_get_string(title));
    experiment->description =
        memory_strdup(description == NULL ? "" : config_setting_get_string(description));
    if (!read_kind(reading, &experiment->kind))
        return false;
    experiment->timing = experiment->kind == EXPERIMENT_CONV ||
                         experiment->kind == EXPERIMENT_RUN ||
                         find_flag(reading, reading->root, "timing", false);
    for (int size = 0; size < EXPERIMENT_SIZES; size++) {
        const char *group = experiment_size_name((enum experiment_size)size);

        experiment->has[size] =
            size == EXPERIMENT_QUICK || config_setting_get_member(reading->root, group) != NULL;
        if (experiment->has[size] && !read_set(reading, (enum experiment_size)size,
                                               experiment->kind, &experiment->set[size]))
            return false;
    }
    return read_figures(reading, experiment->kind, &experiment->figures);
}

struct experiment *experiment_parse(const char *path, const char *text, struct error *error)
{
    struct experiment *experiment = memory_zalloc(1, sizeof *experiment);
    struct reading reading = {.path = path, .error = error};
    config_t config;
    bool done;

    config_init(&config);
    if (config_read_string(&config, text) == CONFIG_TRUE) {
        reading.root = config_root_setting(&config);
        done = read_experiment(&reading, experiment);
    } else {
        done = error_set(error, "%s:%d: %s", path, config_error_line(&config),
                         config_error_text(&config));
    }
    config_destroy(&config);
    if (done)
        return experiment;
    experiment_free(experiment);
    return NULL;
}

void experiment_set_clear(struct experiment_set *set)
{
    experiment_clear_labels(set);
    for (size_t i = 0; i < set->n_workloads; i++)
        workload_clear(&set->workload[i]);
    text_list_clear(&set->skipped);
    text_list_clear(&set->unbuilt);
    experiment_layers_clear(&set->layers);
    experiment_runs_clear(&set->runs);
    experiment_fits_clear(&set->fits);
    free(set->workload);
    contestants_clear(&set->solvers);
    free(set->seed);
}

void experiment_free(struct experiment *experiment)
{
    if (experiment == NULL)
        return;
    for (size_t s = 0; s < EXPERIMENT_SIZES; s++)
        experiment_set_clear(&experiment->set[s]);
    text_list_clear(&experiment->figures);
    free(experiment->name);
    free(experiment->title);
    free(experiment->description);
    free(experiment);
}
