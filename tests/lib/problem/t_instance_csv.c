/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances as CSV: what is accepted and what it means, what is refused and
 * where the message points, and that what was written reads back the same.  */
#include <config.h>

#include "lib/problem/instance_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

#define HEADER "id,lower,upper,size\n"

static struct instance *read_bytes(const char *text, size_t length, FILE *notices,
                                   struct error *error)
{
    FILE *in = tmpfile();
    struct instance *instance;

    fwrite(text, 1, length, in);
    rewind(in);
    instance = instance_csv_read(in, "some/where/x.csv", notices, error);
    fclose(in);
    return instance;
}

static struct instance *read_text(const char *text, struct error *error)
{
    return read_bytes(text, strlen(text), NULL, error);
}

/* Each text holds one buffer, [3, 7) x 5 called a.  */
static void accepted(void)
{
    static const struct {
        const char *what, *text;
    } good[] = {
        {"the plain form", HEADER "a,3,7,5\n"},
        {"no final line end", HEADER "a,3,7,5"},
        {"CRLF", "id,lower,upper,size\r\na,3,7,5\r\n"},
        {"CRLF cut at the end", "id,lower,upper,size\r\na,3,7,5\r"},
        {"a byte-order mark", "\xEF\xBB\xBF" HEADER "a,3,7,5\n"},
        {"mark, CRLF, no final end", "\xEF\xBB\xBFid,lower,upper,size\r\na,3,7,5"},
        {"empty lines at the end", HEADER "a,3,7,5\n\n\r\n  \n"},
        {"blanks around cells", " id ,\tlower, upper ,size \n a , 3,7\t,  5 \n"},
        {"another order", "size,upper,id,lower\n5,7,a,3\n"},
        {"buffer, begin", "buffer,begin,upper,size\na,3,7,5\n"},
        {"buffer_id, start", "buffer_id,start,upper,size\na,3,7,5\n"},
        {"end is the last step", "id,lower,end,size\na,3,6,5\n"},
        {"a hint of any kind", "id,lower,upper,size,hint\na,3,7,5,-1\n"},
        {"a hint that is no number", "id,hint,lower,upper,size\na,soon,3,7,5\n"},
        {"leading zeros", HEADER "a,003,07,0005\n"},
        {"alignment 1", "id,lower,upper,size,alignment\na,3,7,5,1\n"},
    };
    struct instance *plain = read_text(good[0].text, NULL);

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct error error = {""};
        struct instance *instance = read_text(good[i].text, &error);

        ok(instance != NULL && instance->n == 1 && instance->buffer[0].begin == 3 &&
               instance->buffer[0].end == 7 && instance->buffer[0].size == 5 &&
               instance_checksum(instance) == instance_checksum(plain),
           "accepted: %s", good[i].what);
        if (instance == NULL)
            tap_diag("%s", error.text);
        instance_free(instance);
    }
    is_text(plain->name, "x.csv", "named after the file without folders");
    instance_free(plain);
}

static void values(void)
{
    struct error error = {""};
    struct instance *instance = read_text("id,lower,upper,size,alignment\n"
                                          "#1 \"x\" y;z,-9,-4,4611686018427387000,3\n"
                                          "nothing,0,7,0,64\n"
                                          "\xC3\xA9,-9223372036854775800,-1,1,1\n",
                                          &error);

    ok(instance != NULL, "odd but good values");
    if (instance == NULL) {
        tap_diag("%s", error.text);
        return;
    }
    is_int((int64_t)instance->n, 2, "size 0 takes no part");
    is_text(instance->empty[0].id, "nothing", "but is remembered");
    is_text(instance->buffer[0].id, "#1 \"x\" y;z", "an id is any text without a comma");
    is_text(instance->buffer[1].id, "\xC3\xA9", "UTF-8 included");
    is_int(instance->buffer[0].begin, -9, "negative times");
    is_int(instance->buffer[0].alignment, 3, "any alignment");
    is_int(instance->buffer[0].size, 4611686018427387000, "a size of more than 32 bits");
    is_int(instance->buffer[1].begin, -9223372036854775800, "times far from 0");
    instance_free(instance);
    instance = read_text(HEADER, &error);
    ok(instance != NULL && instance->n == 0 && instance->load == 0,
       "a header alone is an empty instance");
    instance_free(instance);
}

#define AT "some/where/x.csv:"
static const struct {
    const char *text, *place, *what;
} refusals[] = {
    {"", AT "1:1: ", "no header"},
    {"\n\n", AT "1:1: ", "no header"},
    {"  \t\r\n", AT "1:1: ", "no header"},
    {"\xEF\xBB\xBF", AT "1:1: ", "no header"},
    {"\n" HEADER "a,3,7,5\n", AT "1:1: ", "no header"},
    {"a,3,7,5\n", AT "1:1: ", "unknown column 'a'"},
    {"id,lower,upper\n", AT "1:15: ", "no column 'size'"},
    {"lower,upper,size\n", AT "1:17: ", "no column 'id'"},
    {"id,size\n", AT "1:8: ", "no column 'lower'"},
    {"id,lower,upper,sise\n", AT "1:16: ", "did you mean 'size'"},
    {"id,lower,upper,Size\n", AT "1:16: ", "unknown column 'Size'"},
    {"id,lower,upper,\x7Fsize\n", AT "1:16: ", "control character 0x7F"},
    {"id,lower,upper,size,\n", AT "1:21: ", "a column without a name"},
    {"id,lower,upper,size,colour\n", AT "1:21: ", "unknown column 'colour'"},
    {"id,lower,upper,size,offset\n", AT "1:21: ", "verify"},
    {"id,lower,upper,size,offset\n", AT "1:21: ", "FILE:fixed=on"},
    {"id,lower,upper,size,size\n", AT "1:21: ", "repeats the column 'size' at 16"},
    {"id,lower,upper,end,size\n", AT "1:16: ", "'end' repeats the column 'upper' at 10"},
    {"start, begin,upper,id,size\n", AT "1:8: ", "'begin' repeats the column 'start' at 1"},
    {HEADER "a,3,7\n", AT "2:6: ", "3 cells; expected 4"},
    {HEADER "a,3,7,5,6\n", AT "2:9: ", "5 cells; expected 4"},
    {HEADER "a,3,7,5,\n", AT "2:9: ", "5 cells; expected 4"},
    {HEADER "a\n", AT "2:2: ", "1 cells; expected 4"},
    {HEADER ",3,7,5\n", AT "2:1: ", "an empty id"},
    {HEADER "a,x,7,5\n", AT "2:3: ", "lower 'x'; expected a whole number"},
    {HEADER "a,,7,5\n", AT "2:3: ", "lower ''; expected a whole number"},
    {HEADER "a,-,7,5\n", AT "2:3: ", "lower '-'"},
    {HEADER "a,+3,7,5\n", AT "2:3: ", "lower '+3'"},
    {HEADER "a,3 1,7,5\n", AT "2:3: ", "lower '3 1'"},
    {HEADER "a,3.0,7,5\n", AT "2:3: ", "lower '3.0'"},
    {HEADER "a,3,7,0x5\n", AT "2:7: ", "size '0x5'"},
    {HEADER "a,3,7,1e6\n", AT "2:7: ", "size '1e6'"},
    {HEADER "a,3,7,\"5\"\n", AT "2:7: ", "size '\"5\"'"},
    {HEADER "a,9223372036854775808,7,5\n", AT "2:3: ", "64 bits"},
    {HEADER "a,-9223372036854775809,7,5\n", AT "2:3: ", "64 bits"},
    {HEADER "a,3,7,99999999999999999999999\n", AT "2:7: ", "64 bits"},
    {HEADER "a,3,7,-1\n", AT "2:7: ", "at least 0"},
    {HEADER "a,3,3,5\n", AT "2:5: ", "is empty; expected a later upper"},
    {HEADER "a,7, 3,5\n", AT "2:6: ", "is empty"},
    {HEADER "a,3,3,0\n", AT "2:5: ", "is empty"},
    {"id,lower,end,size\na,3,2,5\n", AT "2:5: ", "expected a later end"},
    {"id,lower,end,size\na,3,9223372036854775807,5\n", AT "2:5: ", "inclusive"},
    {"id,lower,upper,size,alignment\na,3,7,5,0\n", AT "2:9: ", "at least 1"},
    {"id,lower,upper,size,alignment\na,3,7,5,-4\n", AT "2:9: ", "at least 1"},
    {"id,lower,upper,size,alignment\na,3,7,5,\n", AT "2:9: ", "alignment ''"},
    {HEADER "a,3,7,5\nb,0,1,1\na,3,7,5\n", AT "4:1: ", "'a' is already used in line 2"},
    {HEADER "a,3,7,0\nb,0,1,1\n a,3,7,5\n", AT "4:2: ", "'a' is already used in line 2"},
    {HEADER "a,3,7,5\nb,0,1,1\na,3,7,0\n", AT "4:1: ", "'a' is already used in line 2"},
    {HEADER "b,0,1,1\na,3,7,0\na,3,7,0\n", AT "4:1: ", "'a' is already used in line 3"},
    {HEADER "a,3,7,5\n\nb,0,1,1\n", AT "4:1: ", "data after the empty line 3"},
    {HEADER "\r\n \r\nb,0,1,1\n", AT "4:1: ", "data after the empty line 2"},
    {HEADER "z,0,1,0\na,0,1,5000000000000000000\nb,0,1,5000000000000000000\n",
     AT "4:1: ", "overflows"},
    {HEADER "a,0,1,9223372036854775807\n", AT "2:1: ", "overflows"},
    {HEADER "a,-9000000000000000000,0,1\nb,0,9000000000000000000,1\n", AT "3:1: ", "time axis"},
    {HEADER "a,3,7,5\nb,0,1,1\rc,0,1,1\n", AT "3:8: ", "carriage return"},
    {HEADER "a,3,7,5\r\r\n", AT "2:8: ", "carriage return"},
    {HEADER "a\x1B[31m,3,7,5\n", AT "2:2: ", "control character 0x1B"},
    {HEADER "a\xFF,3,7,5\n", AT "2:2: ", "0xFF; expected UTF-8"},
    {HEADER "a\xC3,3,7,5\n", AT "2:2: ", "0xC3; expected UTF-8"},
    {HEADER "a,3,7,5,\xED\xA0\x80\n", AT "2:9: ", "0xED; expected UTF-8"},
    {HEADER "\xC0\xAF,3,7,5\n", AT "2:1: ", "0xC0; expected UTF-8"},
    {HEADER "\xF5\x80\x80\x80,3,7,5\n", AT "2:1: ", "0xF5; expected UTF-8"},
    {HEADER "ab\xF0\x9F", AT "2:3: ", "0xF0; expected UTF-8"},
};

static void refused(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct error error = {""};
        struct instance *instance = read_text(refusals[i].text, &error);

        if (!ok(instance == NULL &&
                    strncmp(error.text, refusals[i].place, strlen(refusals[i].place)) == 0 &&
                    strstr(error.text, refusals[i].what) != NULL,
                "refused at %s %s", refusals[i].place + strlen(AT), refusals[i].what))
            tap_diag("%s", error.text);
        instance_free(instance);
    }
}

static void odd_bytes(void)
{
    static const char nul[] = HEADER "a\0b,3,7,5\n";
    const size_t length = 3 << 20;
    char *line = memory_alloc(length + 64, 1);
    struct error error = {""};
    struct instance *instance = read_bytes(nul, sizeof nul - 1, NULL, &error);

    ok(instance == NULL && strstr(error.text, "x.csv:2:2: the control character 0x00") != NULL,
       "a NUL byte is refused");
    strcpy(line, HEADER);
    memset(line + strlen(HEADER), 'i', length);
    strcpy(line + strlen(HEADER) + length, ",3,7,5\n");
    instance = read_text(line, &error);
    ok(instance != NULL && strlen(instance->buffer[0].id) == length, "an id of 3 MiB is an id");
    instance_free(instance);
    memset(line + strlen(HEADER), ',', length);
    instance = read_text(line, &error);
    ok(instance == NULL && strstr(error.text, "x.csv:2:5: 3145732 cells; expected 4") != NULL,
       "three million commas are refused");
    memset(line, '7', length);
    line[length] = '\0';
    instance = read_text(line, &error);
    ok(instance == NULL && strlen(error.text) < 300 &&
           strstr(error.text, "unknown column '7777") != NULL && strstr(error.text, "...'"),
       "a long cell is cut in the message");
    free(line);
}

static void notices(void)
{
    static const struct {
        const char *text, *notice;
    } cases[] = {
        {HEADER "a,3,7,5\n", ""},
        {"id,lower,end,size\na,3,7,5\n", "x.csv: the column 'end' holds the last step"},
        {"id,lower,upper,size,hint\na,3,7,5,9\n", "x.csv: the column 'hint' is ignored"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *said = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&said, &length);
        struct instance *instance = read_bytes(cases[i].text, strlen(cases[i].text), stream, NULL);

        fclose(stream);
        ok(instance != NULL && (length > 0) == (cases[i].notice[0] != '\0') &&
               strstr(said, cases[i].notice) != NULL,
           "notice: '%s'", cases[i].notice);
        instance_free(instance);
        free(said);
    }
}

static void unreadable(void)
{
    struct error error = {""};
    FILE *folder = fopen("/", "rb");

    if (folder == NULL) {
        tap_skip(1, "folders don't open here");
        return;
    }
    ok(instance_csv_read(folder, "/", NULL, &error) == NULL &&
           strcmp(error.text, "/: cannot read: Is a directory") == 0,
       "a folder is refused: %s", error.text);
    fclose(folder);
}

static struct instance *random_instance(struct rng *rng)
{
    struct instance *instance = instance_new("random");
    int64_t n = rng_range(rng, 0, 20), alignments = rng_range(rng, 0, 1);

    for (int64_t i = 0; i < n; i++) {
        int64_t begin = rng_range(rng, -1000, 1000), end = begin + rng_range(rng, 1, 1000);
        char *id = memory_printf("v%d %d", (int)i, (int)rng_range(rng, 0, 9));

        instance_add(instance, id, begin, end, rng_range(rng, 0, 3) * rng_range(rng, 1, 1 << 30),
                     1 + alignments * rng_range(rng, 0, 99));
        free(id);
    }
    instance_seal(instance, NULL, NULL);
    return instance;
}

static void round_trip(void)
{
    struct rng *rng = rng_new(1);
    int bad = 0;

    for (int i = 0; i < tap_tier(100, 1000); i++) {
        struct instance *instance = random_instance(rng), *again;
        char *text = csv_of(instance);

        again = read_text(text, NULL);
        bad += again == NULL || instance_checksum(again) != instance_checksum(instance) ||
               again->n_empty != instance->n_empty || again->load != instance->load;
        for (size_t e = 0; again != NULL && e < instance->n_empty; e++)
            bad += strcmp(again->empty[e].id, instance->empty[e].id) != 0 ||
                   again->empty[e].begin != instance->empty[e].begin;
        free(text);
        instance_free(again);
        instance_free(instance);
    }
    is_int(bad, 0, "what was written reads back the same");
    rng_free(rng);
}

static void writing(void)
{
    struct instance *instance =
        read_text("size,hint,upper,buffer,begin\n0,1,2,e,1\n5,2,7,a,3\n", NULL);
    char *text = csv_of(instance);
    FILE *full = fopen("/dev/full", "w");

    is_text(text, HEADER "a,3,7,5\ne,1,2,0\n", "plain columns, empty buffers last");
    free(text);
    if (full != NULL) {
        ok(!instance_csv_write(full, instance), "a full disk is noticed");
        fclose(full);
    } else
        tap_skip(1, "no /dev/full");
    instance_free(instance);
}

int main(void)
{
    accepted();
    values();
    refused();
    odd_bytes();
    notices();
    unreadable();
    round_trip();
    writing();
    return tap_done();
}
