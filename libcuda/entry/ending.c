#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

// read_task reads the beginning of a file of a thread of this process, and returns whether the file
// exists. read_task avoids stdio, because a forked child may inherit locks of stdio that are held.
static int read_task(int thread, const char *name, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	ssize_t n = read(file, text, size - 1);
	close(file);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

// has_ended tells whether the program's first thread has ended without the process.
static int has_ended(void)
{
	char text[64]; // number (name) state
	if (!read_task(getpid(), "stat", text, sizeof text))
		return 0;
	const char *name_end = strrchr(text, ')');
	return name_end && strncmp(name_end, ") Z", 3) == 0;
}

// is_alone tells whether no thread of the program runs any more. An unreadable thread counts as
// running, because it may have started another.
static int is_alone(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	int others = !tasks;
	while (tasks && !others && (entry = readdir(tasks)) != NULL) {
		char name[32];
		int thread = atoi(entry->d_name);
		if (thread > 0 && thread != getpid())
			others = !read_task(thread, "comm", name, sizeof name) || strcmp(name, JACQUARD_THREAD_NAME "\n") != 0;
	}
	if (tasks)
		closedir(tasks);
	return !others;
}

// await_end runs on a thread that shares the program's descriptors, because exit writes the
// program's buffers. The thread polls, because no event marks the end of a thread that made no
// call.
static void *await_end(void *unused)
{
	const struct timespec pause = {.tv_nsec = 100000000};
	prctl(PR_SET_NAME, JACQUARD_THREAD_NAME);
	do
		nanosleep(&pause, NULL);
	while (!has_ended() || !is_alone());
	exit(0);
	return unused;
}

void jacquard_end_with_program(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_create(&thread, &attributes, await_end, NULL);
	pthread_attr_destroy(&attributes);
}
