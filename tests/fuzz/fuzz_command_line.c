/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any words as the arguments of any command, up to where its work would begin: they are refused
 * with a message, or its help is shown.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "harness/cli/commands.h"
#include "tests/fuzz/bytes.h"

enum { MOST_WORDS = 40 };

/* What is printed while a command runs; glibc's standard streams are variables.  */
struct printed {
    FILE *stream[2];
    char *text[2];
    size_t length[2];
};

static void listen_to_all(struct printed *printed)
{
    for (int i = 0; i < 2; i++) {
        printed->stream[i] = open_memstream(&printed->text[i], &printed->length[i]);
        must(printed->stream[i] != NULL);
    }
}

static int run(const struct command *command, int argc, char **argv, struct printed *printed)
{
    FILE *out = stdout, *err = stderr;
    int status;

    listen_to_all(printed);
    stdout = printed->stream[0];
    stderr = printed->stream[1];
    status = command->run(argc, argv);
    stdout = out;
    stderr = err;
    for (int i = 0; i < 2; i++)
        fclose(printed->stream[i]);
    return status;
}

/* The words of TEXT, each ended by a zero byte, without "--": what stood behind that would be no
 * option.  */
static int split(char *text, size_t size, char **word)
{
    int count = 0;

    for (size_t at = 0; at < size && count < MOST_WORDS; at += strlen(text + at) + 1)
        if (strcmp(text + at, "--") != 0)
            word[count++] = text + at;
    return count;
}

/* The first word names the command; one that names none stands for some command.  */
static const struct command *command_of(const char *word)
{
    const struct command *named = command_find(word);

    return named != NULL ? named : &commands[(unsigned char)word[0] % n_commands];
}

/* The last two words ask for help: an option that has no value yet takes one of them.  So no
 * command comes to its work, whatever it was told.  */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = bytes_text(data, size), *name, help[2][8] = {"--help", "--help"};
    char *argv[MOST_WORDS + 3];
    const struct command *command;
    struct printed printed;
    int argc, status;

    argc = split(text, size, argv);
    if (argc == 0)
        argv[argc++] = text;
    command = command_of(argv[0]);
    argv[0] = name = strdup(command->name);
    argv[argc++] = help[0];
    argv[argc++] = help[1];
    argv[argc] = NULL;
    unsetenv("POSIXLY_CORRECT"); /* with it, what follows the first argument is no option */
    status = run(command, argc, argv, &printed);
    must(status == STATUS_DONE
             ? printed.length[1] == 0 && strncmp(printed.text[0], "Usage: arenabench ", 18) == 0
             : status == STATUS_USAGE && printed.length[0] == 0 &&
                   strncmp(printed.text[1], "arenabench: ", 12) == 0);
    for (int i = 0; i < 2; i++)
        free(printed.text[i]);
    free(name);
    free(text);
    return 0;
}
