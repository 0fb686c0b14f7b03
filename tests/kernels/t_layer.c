/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers as text: what each part means, the shortest form, lists, and what is refused.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/layer.h"
#include "kernels/layer_table.h"
#include "tests/support/tap.h"

static void test_parts(void)
{
    static const char text[] =
        "n=2,c=12,h=30,w=20,k=24,r=5,s=3,stride=2x1,pad=1x2x3x4,dilation=3x2,"
        "groups=4";
    struct error error = {""};
    struct conv_shape s;

    if (!ok(layer_parse(text, &s, &error), "a layer with all parts %s", error.text))
        return;
    ok(s.n == 2 && s.c == 12 && s.h == 30 && s.w == 20 && s.k == 24 && s.r == 5 && s.s == 3,
       "sizes");
    ok(s.stride_h == 2 && s.stride_w == 1 && s.dilation_h == 3 && s.dilation_w == 2 &&
           s.groups == 4,
       "pairs are height and width");
    ok(s.pad_top == 1 && s.pad_bottom == 2 && s.pad_left == 3 && s.pad_right == 4,
       "padding goes from the top to the right");
}

/* Texts that are the shortest of their layers come back as they are.  */
static void test_texts(void)
{
    static const char *const same[] = {
        "c=3,h=9,w=8,k=4,r=1,s=1",
        "n=2,c=3,h=9,w=8,k=4,r=3,s=3,stride=2,pad=1,dilation=2",
        "c=3,h=9,w=8,k=4,r=3,s=3,stride=1x2,pad=1x0,dilation=2x1",
        "c=4,h=9,w=8,k=4,r=3,s=3,pad=0x0x0x1,groups=2",
        "c=4,h=9,w=8,k=4,r=3,s=3,pad=1x0x2x2,groups=4",
    };
    static const char *const longer[][2] = {
        {"n=1,c=3,h=9,w=8,k=4,r=1,s=1,stride=1x1,pad=0x0x0x0,groups=1", "c=3,h=9,w=8,k=4,r=1,s=1"},
        {"c=3,h=9,w=8,k=4,r=3,s=3,pad=1x1x2x2", "c=3,h=9,w=8,k=4,r=3,s=3,pad=1x2"},
        {"c=3,h=9,w=8,k=4,r=3,s=3,pad=2x2", "c=3,h=9,w=8,k=4,r=3,s=3,pad=2"},
    };
    const size_t sames = sizeof same / sizeof same[0];

    for (size_t i = 0; i < sames + sizeof longer / sizeof longer[0]; i++) {
        const char *from = i < sames ? same[i] : longer[i - sames][0];
        struct error error = {""};
        struct conv_shape shape;
        char *text;

        if (!ok(layer_parse(from, &shape, &error), "%s %s", from, error.text))
            continue;
        text = layer_text(&shape);
        is_text(text, i < sames ? from : longer[i - sames][1], "in its shortest form");
        free(text);
    }
}

static void test_refusals(void)
{
    static const char *const bad[][2] = {
        {"c=3,h=9,w=8,k=4,r=3", "parameter 's' is required"},
        {"c=3,h=9,w=8,k=4,r=3,s=3,stride=1x1x1", "stride=1x1x1, expected a number or HEIGHTxWIDTH"},
        {"c=3,h=9,w=8,k=4,r=3,s=3,dilation=x", "dilation=x, expected a number or HEIGHTxWIDTH"},
        {"c=3,h=9,w=8,k=4,r=3,s=3,pad=1x1x1",
         "pad=1x1x1, expected a number, HEIGHTxWIDTH or TOPxBOTTOMxLEFTxRIGHT"},
        {"c=3,h=9,w=8,k=4,r=3,s=3,pad=1x1x1x1x1", "pad=1x1x1x1x1, expected a number"},
        {"c=3,h=9,w=8,k=4,r=3,s=3,pad=-1", "pad=-1, expected a number"},
        {"c=3,h=9,w=8,k=4,r=10,s=3", ""},
        {"c=3,h=9,w=8,k=4,r=3,s=3,groups=2", ""},
        /* 2^63 inputs and two operations; 2^64 operations on 2^62 inputs and outputs.  */
        {"c=2,h=2147483648,w=2147483648,k=1,r=1,s=1,stride=2147483648", "overflows 64 bits"},
        {"c=4,h=1073741824,w=1073741824,k=4,r=1,s=1", "overflows 64 bits"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};
        struct conv_shape shape;

        ok(!layer_parse(bad[i][0], &shape, &error) && error.text[0] != '\0' &&
               strstr(error.text, bad[i][1]) != NULL,
           "%s is refused: %s", bad[i][0], error.text);
    }
}

/* Reads TEXT as a list's file.  */
static bool read_list(struct layer_list *list, const char *text, struct error *error)
{
    FILE *in = fmemopen((char *)text, strlen(text), "r");
    bool good;

    memset(list, 0, sizeof *list);
    good = layer_list_read(list, in, "my.layers", error);
    fclose(in);
    return good;
}

static void test_lists(void)
{
    static const char *const bad[][2] = {
        {"one c=3,h=9,w=8,k=4,r=1,s=1\n# two\nthree c=3\n", "my.layers:3: "},
        {"one\n", "my.layers:1: expected a name and a layer"},
        {"one # c=3,h=9,w=8,k=4,r=1,s=1\n", "my.layers:1: expected a name and a layer"},
    };
    struct layer_list list;
    struct error error = {""};

    ok(read_list(
           &list,
           "# some\n\n one\tc=3,h=9,w=8,k=4,r=1,s=1 # the first\r\ntwo c=5,h=9,w=8,k=4,r=1,s=1",
           &error),
       "a list with comments, blanks and no end of line %s", error.text);
    if (ok(list.count == 2, "two layers")) {
        is_text(list.layer[0].name, "one", "named");
        is_text(list.layer[1].name, "two", "named");
        ok(list.layer[0].shape.c == 3 && list.layer[1].shape.c == 5, "in their order");
    }
    layer_list_free(&list);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ok(!read_list(&list, bad[i][0], &error) &&
               strncmp(error.text, bad[i][1], strlen(bad[i][1])) == 0,
           "refused with its place: %s", error.text);
        layer_list_free(&list);
    }
}

/* --- tables --- */

#define HEADER "c,h,w,k,r,s,stride_h,stride_w,pad_h,pad_w,dilation_h,dilation_w,groups"

static bool read_table(struct layer_list *list, const char *text, struct error *error)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    bool good;

    *list = (struct layer_list){0};
    good = layer_table_read(list, in, "my.csv", error);
    fclose(in);
    return good;
}

static void test_tables(void)
{
    static const char *const bad[][2] = {
        {"c,h,w\n1,1,1\n", "my.csv:1:"},
        {HEADER "\n3,9,8,4,1,1,1,1,0,0,1,1\n", "my.csv:2:"},
        {HEADER "\n3,9,8,4,1,1,1,1,-1,0,1,1,1\n", "my.csv:2:17: "},
        {HEADER "\n3,9,8,4,1,1,1,1,0,0,1,1,2\n", "my.csv:2:1: "},
        {HEADER ",transposed\n3,9,8,4,1,1,1,1,0,0,1,1,1,True\n",
         "my.csv:2:27: a transposed convolution; expected False"},
    };
    static const char good[] = HEADER ",transposed,bias\n3,9,8,4,3,1,2,1,1,0,1,1,1,False,True\n"
                                      "6,9,8,4,1,3,1,1,0,2,1,2,2,,\n";
    struct layer_list list;
    struct error error = {""};

    ok(read_table(&list, good, &error), "a table of layers %s", error.text);
    if (ok(list.count == 2, "two layers")) {
        is_text(list.layer[0].name, "c=3,h=9,w=8,k=4,r=3,s=1,stride=2x1,pad=1x0", "as layers");
        is_text(list.layer[1].name, "c=6,h=9,w=8,k=4,r=1,s=3,pad=0x2,dilation=1x2,groups=2",
                "are written");
    }
    layer_list_free(&list);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ok(!read_table(&list, bad[i][0], &error) &&
               strncmp(error.text, bad[i][1], strlen(bad[i][1])) == 0,
           "refused with its place: %s", error.text);
        layer_list_free(&list);
    }
}

int main(void)
{
    test_parts();
    test_texts();
    test_refusals();
    test_lists();
    test_tables();
    return tap_done();
}
