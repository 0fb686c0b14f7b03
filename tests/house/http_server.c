/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server of files for tests/house/fetch_data.sh, with faults on demand.
 *
 *   http_server FOLDER LOG [FAULT:TIMES:PATH]...
 *
 * Serves FOLDER on a free port of the loopback address, prints the port, and ends when its
 * standard input does.  One connection at a time; each is one request (GET, also of what
 * is behind `Range: bytes=N-`), noted in LOG as STATUS FIRST-BYTE PATH.
 *
 * The first TIMES requests (0: all) whose path ends in PATH have the fault:
 *   cut      half of what is asked for, then the end of the connection
 *   stall    the same, then nothing until the client goes
 *   whole    a range is not heeded
 *   corrupt  the last byte is another
 *   long     a byte more than there is
 *   NUMBER   a status, with a short page  */
#include <config.h>

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct fault {
    char name[16];
    int times, used;
    const char *path;
};

struct server {
    const char *folder;
    FILE *log;
    struct fault *fault;
    int faults;
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* Faults of the command line; one that can't be read ends the program.  */
static struct fault *read_faults(char **argument, int count)
{
    struct fault *fault = calloc((size_t)count + 1, sizeof *fault);

    for (int i = 0; fault != NULL && i < count; i++) {
        int length = 0;

        if (sscanf(argument[i], "%15[^:]:%d:%n", fault[i].name, &fault[i].times, &length) != 2 ||
            length == 0) {
            fprintf(stderr, "http_server: %s: expected FAULT:TIMES:PATH\n", argument[i]);
            exit(2);
        }
        fault[i].path = argument[i] + length;
    }
    return fault;
}

/* The name of the fault that a request for PATH has, or "".  */
static const char *fault_of(struct server *server, const char *path)
{
    size_t length = strlen(path);

    for (int i = 0; i < server->faults; i++) {
        struct fault *fault = &server->fault[i];
        size_t tail = strlen(fault->path);

        if (tail > length || strcmp(path + length - tail, fault->path) != 0 ||
            (fault->times > 0 && fault->used == fault->times))
            continue;
        fault->used++;
        return fault->name;
    }
    return "";
}

/* Sends it all; a client that is gone does not matter.  */
static void send_all(int client, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(client, data, length, MSG_NOSIGNAL);

        if (sent <= 0)
            return;
        data += sent;
        length -= (size_t)sent;
    }
}

static void send_status(int client, int status)
{
    char text[160];
    int length = snprintf(
        text, sizeof text,
        "HTTP/1.1 %d Status\r\nContent-Length: 5\r\nConnection: close\r\n\r\nnone\n", status);

    send_all(client, text, (size_t)length);
}

/* The file and its size, with room for a byte more; NULL where there is none.  */
static char *read_whole(const char *folder, const char *path, size_t *size)
{
    char name[4096], *data = NULL;
    FILE *in;
    long end;

    if (snprintf(name, sizeof name, "%s%s", folder, path) >= (int)sizeof name ||
        strstr(path, "..") != NULL)
        return NULL;
    in = fopen(name, "rb");
    if (in == NULL)
        return NULL;
    if (fseek(in, 0, SEEK_END) == 0 && (end = ftell(in)) >= 0 && fseek(in, 0, SEEK_SET) == 0) {
        *size = (size_t)end;
        data = malloc(*size + 1);
        if (data != NULL && fread(data, 1, *size, in) != *size) {
            free(data);
            data = NULL;
        }
    }
    fclose(in);
    return data;
}

/* Answers with DATA from the byte FIRST on, and returns the status.  */
static int send_file(int client, const char *data, size_t size, size_t first, bool partial,
                     const char *fault)
{
    bool half = strcmp(fault, "cut") == 0 || strcmp(fault, "stall") == 0;
    int status = partial ? 206 : 200, length;
    char head[300], range[120] = "";

    if (partial)
        snprintf(range, sizeof range, "Content-Range: bytes %zu-%zu/%zu\r\n", first, size - 1,
                 size);
    length = snprintf(head, sizeof head,
                      "HTTP/1.1 %d Status\r\nContent-Length: %zu\r\n%sConnection: close\r\n\r\n",
                      status, size - first, range);
    send_all(client, head, (size_t)length);
    send_all(client, data + first, half ? (size - first) / 2 : size - first);
    return status;
}

/* Until the client or standard input is at its end.  */
static void wait_for_end(int client)
{
    struct pollfd end[2] = {{client, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};

    poll(end, 2, -1);
}

static void answer(struct server *server, int client, const char *path, size_t first, bool partial)
{
    const char *fault = fault_of(server, path);
    int status = atoi(fault);
    size_t size = 0;
    char *data = read_whole(server->folder, path, &size);

    if (status == 0 && data == NULL)
        status = 404;
    if (strcmp(fault, "whole") == 0) {
        partial = false;
        first = 0;
    }
    if (status == 0 && partial && first >= size)
        status = 416;
    if (status != 0) {
        send_status(client, status);
    } else {
        if (strcmp(fault, "corrupt") == 0 && size > 0)
            data[size - 1] = (char)(data[size - 1] ^ 1);
        if (strcmp(fault, "long") == 0)
            data[size++] = '\n';
        status = send_file(client, data, size, first, partial, fault);
    }
    free(data);
    fprintf(server->log, "%d %zu %s\n", status, first, path);
    fflush(server->log);
    if (strcmp(fault, "stall") == 0)
        wait_for_end(client);
}

/* Reads a request and answers; one that is too long or no GET is hung up on.  */
static void serve(struct server *server, int client)
{
    char request[8192], path[4096];
    const char *range;
    size_t length = 0, first = 0;
    bool partial = false;

    request[0] = '\0';
    while (strstr(request, "\r\n\r\n") == NULL) {
        ssize_t got = recv(client, request + length, sizeof request - 1 - length, 0);

        if (got <= 0)
            return;
        length += (size_t)got;
        request[length] = '\0';
    }
    if (sscanf(request, "GET %4095[^ ] HTTP/1.1", path) != 1)
        return;
    range = strcasestr(request, "\r\nRange: bytes=");
    if (range != NULL)
        partial = sscanf(strchr(range, '=') + 1, "%zu-", &first) == 1;
    answer(server, client, path, first, partial);
}

/* Listens, and prints the port that the system chose.  */
static int start(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        listen(listener, 8) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        die("http_server");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int main(int argc, char **argv)
{
    struct server server = {0};
    struct pollfd wait[2] = {{-1, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};

    if (argc < 3) {
        fprintf(stderr, "usage: http_server FOLDER LOG [FAULT:TIMES:PATH]...\n");
        return 2;
    }
    /* A test that is killed takes its server along.  */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    server.folder = argv[1];
    server.log = fopen(argv[2], "a");
    server.faults = argc - 3;
    server.fault = read_faults(argv + 3, server.faults);
    if (server.log == NULL || server.fault == NULL)
        die(argv[2]);
    wait[0].fd = start();
    while (poll(wait, 2, -1) >= 0 && wait[1].revents == 0) {
        int client = accept(wait[0].fd, NULL, NULL);

        if (client < 0)
            continue;
        serve(&server, client);
        close(client);
    }
    fclose(server.log);
    free(server.fault);
    return 0;
}
