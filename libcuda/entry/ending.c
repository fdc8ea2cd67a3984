#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

// is_alone tells whether no thread of the program runs any more. A thread that cannot be read may have started another.
static int is_alone(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	int others = !tasks;
	while (tasks && !others && (entry = readdir(tasks)) != NULL) {
		char path[64], name[32] = "";
		if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid())
			continue;
		snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", entry->d_name);
		FILE *file = fopen(path, "r");
		others = !file || !fgets(name, sizeof name, file) || strcmp(name, JACQUARD_THREAD_NAME "\n") != 0;
		if (file)
			fclose(file);
	}
	if (tasks)
		closedir(tasks);
	return !others;
}

// await_end is a thread that shares the program's descriptors: exit writes what the program has buffered.
static void *await_end(void *unused)
{
	const struct timespec pause = {.tv_nsec = 50000000};
	prctl(PR_SET_NAME, JACQUARD_THREAD_NAME);
	do
		nanosleep(&pause, NULL);
	while (!is_alone());
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
