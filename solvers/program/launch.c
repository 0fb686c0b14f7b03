/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/program/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/problem/solver_env.h"

void program_close(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* --- its environment --- */

enum { TOLD = 5 };

/* The variables that speak of ENV; NULL: there is no such limit.  The caller frees them.  */
static void tell(const struct solver_env *env, char *told[TOLD])
{
    told[0] = memory_printf("ARENABENCH_SEED=%" PRIu32, env->seed);
    told[1] =
        env->time_limit > 0 ? memory_printf("ARENABENCH_TIME_LIMIT=%.12g", env->time_limit) : NULL;
    told[2] = env->memory_limit > 0
                  ? memory_printf("ARENABENCH_MEMORY_LIMIT=%" PRId64, env->memory_limit)
                  : NULL;
    told[3] = env->work_limit > 0 ? memory_printf("ARENABENCH_WORK_LIMIT=%" PRId64, env->work_limit)
                                  : NULL;
    told[4] =
        env->cpu_limit > 0 ? memory_printf("ARENABENCH_CPU_LIMIT=%.12g", env->cpu_limit) : NULL;
}

/* Whether VARIABLE is one that tell() may set: an older one would speak of another run.  */
static bool is_told(const char *variable)
{
    static const char *const names[TOLD] = {
        "ARENABENCH_SEED=", "ARENABENCH_TIME_LIMIT=", "ARENABENCH_MEMORY_LIMIT=",
        "ARENABENCH_WORK_LIMIT=", "ARENABENCH_CPU_LIMIT="};

    for (int i = 0; i < TOLD; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Ours, with TOLD instead of what has their names.  The caller frees the array alone.  */
static char **make_environment(char *const told[TOLD])
{
    size_t count = 0, kept = 0;
    char **result;

    while (environ[count] != NULL)
        count++;
    result = memory_alloc(count + TOLD + 1, sizeof *result);
    for (size_t i = 0; i < count; i++)
        if (!is_told(environ[i]))
            result[kept++] = environ[i];
    for (int i = 0; i < TOLD; i++)
        if (told[i] != NULL)
            result[kept++] = told[i];
    result[kept] = NULL;
    return result;
}

/* --- starting --- */

/* END becomes the command's descriptors 0, 1 and 2.  ENTER (NULL: none) is the file of a control
 * group, which a first shell enters before it becomes the command's: what the command does is all
 * done there.  Returns 0 or an error number.  */
static int spawn_shell(struct program *program, const char *command, const char *enter,
                       char *const *environment, const int end[3], const sigset_t *mask)
{
    char shell[] = "sh", option[] = "-c", *text = memory_strdup(command);
    char entering[] = "echo 0 >\"$1\" && exec /bin/sh -c \"$2\" sh";
    char *file = enter == NULL ? NULL : memory_strdup(enter);
    char *const plain[] = {shell, option, text, NULL};
    char *const grouped[] = {shell, option, entering, shell, file, text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int failure;

    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, end[i], i);
    failure = posix_spawn(&program->pid, "/bin/sh", &actions, &attributes,
                          file == NULL ? plain : grouped, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(file);
    free(text);
    return failure;
}

static void set_nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Pipe ends above 2, so that none stands where the command's own will be; or -1
 * with errno.  */
static bool make_pipe(int end[2])
{
    if (pipe2(end, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        int high = fcntl(end[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

        if (high < 0) {
            int failure = errno;

            program_close(&end[0]);
            program_close(&end[1]);
            errno = failure;
            return false;
        }
        close(end[i]);
        end[i] = high;
    }
    return true;
}

static int spawn_told(struct program *program, const char *command, const struct solver_env *env,
                      const int end[3], const sigset_t *mask)
{
    char *told[TOLD], **environment;
    int failure;

    tell(env, told);
    environment = make_environment(told);
    failure = spawn_shell(program, command, env->enter, environment, end, mask);
    free(environment);
    for (int i = 0; i < TOLD; i++)
        free(told[i]);
    return failure;
}

int program_start(struct program *program, const char *command, const struct solver_env *env,
                  const sigset_t *mask)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, failure = 0;

    if (!make_pipe(in) || !make_pipe(out) || !make_pipe(err))
        failure = errno;
    else
        failure = spawn_told(program, command, env, (const int[]){in[0], out[1], err[1]}, mask);
    program_close(&in[0]);
    program_close(&out[1]);
    program_close(&err[1]);
    program->to = in[1];
    program->from = out[0];
    program->err = err[0];
    if (failure != 0) {
        program_close(&program->to);
        program_close(&program->from);
        program_close(&program->err);
        return failure;
    }
    set_nonblocking(program->to);
    set_nonblocking(program->from);
    set_nonblocking(program->err);
    return 0;
}
