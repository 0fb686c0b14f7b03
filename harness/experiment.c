/* Experiment files: the only file that knows libconfig.
 *
 * Settings that libconfig read are checked here one by one, so that each
 * message can name the file and the line.  */
#include <config.h>

#include "harness/experiment.h"

#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/contestants.h"
#include "harness/figure.h"
#include "lib/memory.h"
#include "solvers/solver.h"

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
    {"name", KEY_TEXT, false, 0, 0},
    {"title", KEY_TEXT, false, 0, 0},
    {"description", KEY_TEXT, false, 0, 0},
    {"figures", KEY_TEXTS, false, 0, 0},
    {"timing", KEY_FLAG, false, 0, 0},
    {"quick", KEY_GROUP, false, 0, 0},
    {"full", KEY_GROUP, false, 0, 0},
    {"workloads", KEY_TEXTS, true, 0, 0},
    {"solvers", KEY_TEXTS, true, 0, 0},
    {"time_limit_s", KEY_NUMBER, true, 0, 1e6},
    {"memory_limit_mib", KEY_INT, true, 1, 1e9},
    {"work_limit", KEY_INT, true, 1, 1e18},
    {"seeds", KEY_INTS, true, 1, UINT32_MAX},
    {"repetitions", KEY_INT, true, 1, 1e6},
    {"budget_s", KEY_NUMBER, true, 0, 1e9},
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

static bool texts_only(const config_setting_t *setting)
{
    if (!config_setting_is_array(setting) && !config_setting_is_list(setting))
        return false;
    for (int i = 0; i < config_setting_length(setting); i++)
        if (config_setting_type(config_setting_get_elem(setting, (unsigned)i)) !=
            CONFIG_TYPE_STRING)
            return false;
    return true;
}

static bool is_int(const config_setting_t *setting)
{
    int type = config_setting_type(setting);

    return type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
}

static bool ints_only(const config_setting_t *setting)
{
    if (!config_setting_is_array(setting) && !config_setting_is_list(setting))
        return false;
    for (int i = 0; i < config_setting_length(setting); i++)
        if (!is_int(config_setting_get_elem(setting, (unsigned)i)))
            return false;
    return config_setting_length(setting) > 0;
}

static bool type_fits(const config_setting_t *setting, enum key_type type)
{
    switch (type) {
    case KEY_TEXT:
        return config_setting_type(setting) == CONFIG_TYPE_STRING;
    case KEY_TEXTS:
        return texts_only(setting);
    case KEY_FLAG:
        return config_setting_type(setting) == CONFIG_TYPE_BOOL;
    case KEY_INT:
        return is_int(setting);
    case KEY_INTS:
        return ints_only(setting);
    case KEY_NUMBER:
        return is_int(setting) || config_setting_type(setting) == CONFIG_TYPE_FLOAT;
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

/* Expands `@WORD...` with each of NAMES in place of @WORD, or TEXT itself.  */
static bool expand_names(const char *text, const char *word, const struct text_list *names,
                         struct text_list *list, struct error *error)
{
    size_t length = strlen(word);
    bool done = true;

    if (text[0] != '@')
        return expand_braces(text, list, error);
    if (strncmp(text, word, length) != 0 || (text[length] != '\0' && text[length] != ':'))
        return error_set(error, "'%s': expected %s, with or without parameters", text, word);
    for (size_t i = 0; done && i < names->n; i++) {
        char *whole = memory_printf("%s%s", names->text[i], text + length);

        done = expand_braces(whole, list, error);
        free(whole);
    }
    return done;
}

static void network_names(struct text_list *names)
{
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            text_list_add(names, network_registry[f]->model[m].name);
}

static void solver_names(struct text_list *names)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        if ((entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0)
            text_list_add(names, entry->solver->name);
}

/* Takes over WORKLOAD, unless the set has its label already.  */
static void add_workload(struct experiment_set *set, struct workload *workload, size_t *capacity)
{
    for (size_t i = 0; i < set->n_workloads; i++)
        if (strcmp(set->workload[i].label, workload->label) == 0) {
            workload_clear(workload);
            return;
        }
    set->workload =
        memory_grow(set->workload, capacity, set->n_workloads + 1, sizeof *set->workload);
    set->workload[set->n_workloads++] = *workload;
}

static bool add_workloads(struct experiment_set *set, const struct text_list *specs,
                          size_t *capacity, struct error *error)
{
    for (size_t i = 0; i < specs->n; i++) {
        const char *spec = specs->text[i];
        struct workload workload;

        if (workload_data_missing(spec))
            text_list_add(&set->skipped, spec);
        else if (workload_parse(&workload, spec, error))
            add_workload(set, &workload, capacity);
        else
            return false;
    }
    return true;
}

static bool read_workloads(const struct reading *reading, const config_setting_t *setting,
                           struct experiment_set *set)
{
    struct text_list names = {0}, specs = {0};
    size_t capacity = 0;
    bool done = true;

    network_names(&names);
    for (int i = 0; done && i < config_setting_length(setting); i++) {
        config_setting_t *one = config_setting_get_elem(setting, (unsigned)i);

        done = expand_names(config_setting_get_string(one), "@networks", &names, &specs,
                            reading->error) &&
               add_workloads(set, &specs, &capacity, reading->error);
        if (!done)
            refuse(reading, one);
        text_list_clear(&specs);
    }
    text_list_clear(&names);
    return done;
}

static bool add_solver(struct experiment_set *set, const char *spec, size_t *capacity,
                       struct error *error)
{
    struct contestant contestant;

    if (!contestant_parse(&contestant, spec, error))
        return false;
    for (size_t i = 0; i < set->n_solvers; i++)
        if (strcmp(set->solver[i].label, contestant.label) == 0) {
            contestant_clear(&contestant);
            return true;
        }
    set->solver = memory_grow(set->solver, capacity, set->n_solvers + 1, sizeof *set->solver);
    set->solver[set->n_solvers++] = contestant;
    return true;
}

static bool read_solvers(const struct reading *reading, const config_setting_t *setting,
                         struct experiment_set *set)
{
    struct text_list names = {0}, specs = {0};
    size_t capacity = 0;
    bool done = true;

    solver_names(&names);
    for (int i = 0; done && i < config_setting_length(setting); i++) {
        config_setting_t *one = config_setting_get_elem(setting, (unsigned)i);
        const char *text = config_setting_get_string(one);

        /* A command's braces are the command's.  */
        if (contestants_raw(text))
            text_list_add(&specs, text);
        else
            done = expand_names(text, "@all", &names, &specs, reading->error);
        for (size_t k = 0; done && k < specs.n; k++)
            done = add_solver(set, specs.text[k], &capacity, reading->error);
        if (!done)
            refuse(reading, one);
        text_list_clear(&specs);
    }
    text_list_clear(&names);
    return done;
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

static bool read_set(const struct reading *reading, enum experiment_size size,
                     struct experiment_set *set)
{
    config_setting_t *group, *workloads, *solvers, *time, *budget;
    double tasks;

    if (!required(reading, reading->root, experiment_size_name(size), &group) ||
        !required(reading, group, "workloads", &workloads) ||
        !required(reading, group, "solvers", &solvers) ||
        !required(reading, group, "time_limit_s", &time) ||
        !required(reading, group, "budget_s", &budget))
        return false;
    set->limits.time_s = number(time);
    set->limits.memory_bytes = find_int(reading, group, "memory_limit_mib", 0) * 1048576;
    set->limits.work = find_int(reading, group, "work_limit", 0);
    set->repetitions = find_int(reading, group, "repetitions", 1);
    set->budget_s = find_number(reading, group, "budget_s", 0);
    read_seeds(find(reading, group, "seeds"), set);
    if (!read_workloads(reading, workloads, set) || !read_solvers(reading, solvers, set))
        return false;
    tasks = (double)set->n_workloads * (double)set->n_solvers * (double)set->n_seeds *
            (double)set->repetitions;
    if (tasks <= MOST_TASKS)
        return true;
    error_set(reading->error, "%.0f tasks: at most %d", tasks, MOST_TASKS);
    return refuse(reading, group);
}

static bool check_name(const char *name, struct error *error)
{
    if (name[0] != '\0' && name[0] != '-' &&
        name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")] ==
            '\0')
        return true;
    return error_set(error, "name: expected letters, digits, '-' and '_'");
}

static bool read_figures(const struct reading *reading, struct text_list *list)
{
    config_setting_t *figures = config_setting_get_member(reading->root, "figures");

    for (int i = 0; figures != NULL && i < config_setting_length(figures); i++) {
        const char *name = config_setting_get_string_elem(figures, i);

        if (!figure_check_name(name, reading->error))
            return refuse(reading, config_setting_get_elem(figures, (unsigned)i));
        text_list_add(list, name);
    }
    return true;
}

static bool read_experiment(const struct reading *reading, struct experiment *experiment)
{
    config_setting_t *name, *title, *description, *timing;

    if (!check_group(reading, reading->root, false) ||
        !required(reading, reading->root, "name", &name) ||
        !required(reading, reading->root, "title", &title))
        return false;
    if (!check_name(config_setting_get_string(name), reading->error))
        return refuse(reading, name);
    description = config_setting_get_member(reading->root, "description");
    timing = config_setting_get_member(reading->root, "timing");
    experiment->name = memory_strdup(config_setting_get_string(name));
    experiment->title = memory_strdup(config_setting_get_string(title));
    experiment->description =
        memory_strdup(description == NULL ? "" : config_setting_get_string(description));
    experiment->timing = timing != NULL && config_setting_get_bool(timing) != 0;
    return read_figures(reading, &experiment->figures) &&
           read_set(reading, EXPERIMENT_QUICK, &experiment->set[EXPERIMENT_QUICK]) &&
           read_set(reading, EXPERIMENT_FULL, &experiment->set[EXPERIMENT_FULL]);
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

void experiment_free(struct experiment *experiment)
{
    if (experiment == NULL)
        return;
    for (size_t s = 0; s < EXPERIMENT_SIZES; s++) {
        struct experiment_set *set = &experiment->set[s];

        for (size_t i = 0; i < set->n_workloads; i++)
            workload_clear(&set->workload[i]);
        for (size_t i = 0; i < set->n_solvers; i++)
            contestant_clear(&set->solver[i]);
        text_list_clear(&set->skipped);
        free(set->workload);
        free(set->solver);
        free(set->seed);
    }
    text_list_clear(&experiment->figures);
    free(experiment->name);
    free(experiment->title);
    free(experiment->description);
    free(experiment);
}
