//go:build cgo

// One thread, the keeper, starts all other threads of the simulator, so that these threads inherit
// little from the program's: they have their own table of descriptors, run on every processor of
// the process at the priority of its first thread, and block all signals. The keeper also holds
// threads in reserve, because the Go runtime ends the process when a thread cannot be made.

#define _GNU_SOURCE
#include "server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The linker redirects the runtime's calls of pthread_create to __wrap_pthread_create
// (libcuda/lib.mk), but not in tests of this package.
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) __attribute__((weak));
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// work is the task of a new thread.
struct work {
	void *(*run)(void *);
	void *argument;
	size_t stack; // bytes of the thread's stack; 0 for the default
	int needed;   // may take a thread from the reserve
};

// lock guards the variables below.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum { NONE, STARTING, READY } keeper;
static const struct jacquard_program *program;
static int wanted;          // threads in reserve
static int idle;            // threads in reserve, now
static struct work handed;  // to a thread in reserve, if run is set
static struct work request; // to the keeper, if run is set
static int answered, answer;
static int descriptors;     // a few can be opened

static struct work first; // the runtime's first thread, held until jacquard_start_runtime

static void *work(struct work w)
{
	jacquard_adopt_thread();
	return w.run(w.argument);
}

static void *begin(void *argument)
{
	struct work w = *(struct work *)argument;
	free(argument);
	prctl(PR_SET_NAME, JACQUARD_THREAD_NAME);
	return work(w);
}

// in_reserve waits for work.
static void *in_reserve(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, JACQUARD_THREAD_NAME);
	pthread_mutex_lock(&lock);
	while (!handed.run)
		pthread_cond_wait(&changed, &lock);
	struct work w = handed;
	handed.run = NULL;
	idle--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return work(w);
}

// create makes a thread as the runtime does: detached, with the given stack size or the default.
static int create(void *(*run)(void *), void *argument, size_t stack_bytes)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (stack_bytes)
		pthread_attr_setstacksize(&attributes, stack_bytes);
	int error = __real_pthread_create(&thread, &attributes, run, argument);
	pthread_attr_destroy(&attributes);
	return error;
}

// fill_reserve makes threads until the reserve is full or the system refuses. The keeper holds the
// lock.
static void fill_reserve(void)
{
	while (idle < wanted && create(in_reserve, NULL, 0) == 0)
		idle++;
}

// start makes a thread for work, or takes one from the reserve. The keeper holds the lock.
static int start(struct work w)
{
	struct work *copy = malloc(sizeof *copy);
	int error = ENOMEM;
	if (copy) {
		*copy = w;
		error = create(begin, copy, w.stack);
	}
	if (!error) {
		fill_reserve();
		return 0;
	}
	free(copy);
	if (!w.needed || idle == 0)
		return error;
	handed = w;
	pthread_cond_broadcast(&changed);
	while (handed.run)
		pthread_cond_wait(&changed, &lock);
	return 0;
}

// leave_descriptors gives descriptors of their own to the keeper and the threads that it starts.
// The program may close all of its descriptors, and the simulator must not keep a pipe of the
// program open. Only standard error stays open, for messages. If the system forbids own
// descriptors, the descriptors are shared.
static void leave_descriptors(void)
{
	enum { UNSHARE = 2 }; // CLOSE_RANGE_UNSHARE
#ifndef SYS_close_range
	enum { SYS_close_range = 436 };
#endif
	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, UNSHARE) != 0) {
		if (unshare(CLONE_FILES) != 0)
			return;
		DIR *open_ones = opendir("/proc/thread-self/fd");
		struct dirent *entry;
		while (open_ones && (entry = readdir(open_ones)) != NULL) {
			int descriptor = atoi(entry->d_name);
			if (descriptor > STDERR_FILENO && descriptor != dirfd(open_ones))
				close(descriptor);
		}
		if (open_ones)
			closedir(open_ones);
	}
	int nothing = open("/dev/null", O_RDWR);
	if (nothing < 0)
		return;
	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		dup2(nothing, STDERR_FILENO);
	if (nothing > STDERR_FILENO)
		close(nothing);
}

// follow_first gives the keeper the priority of the program's first thread; the thread that made
// the first call may have another.
static void follow_first(void)
{
	pid_t first = getpid();
	struct sched_param parameters;
	int policy = sched_getscheduler(first);
	if (policy >= 0 && policy != sched_getscheduler(0) && sched_getparam(first, &parameters) == 0)
		sched_setscheduler(0, policy, &parameters);
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, (id_t)first));
}

// can_open tells whether a few more descriptors can be opened: the runtime needs two for its poller,
// and files one each.
static int can_open(void)
{
	enum { FEW = 5 };
	int opened[FEW], n = 0;
	while (n < FEW && (opened[n] = open("/", O_RDONLY | O_CLOEXEC)) >= 0)
		n++;
	for (int i = 0; i < n; i++)
		close(opened[i]);
	return n == FEW;
}

static void *keep(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, JACQUARD_THREAD_NAME);
	leave_descriptors();
	descriptors = can_open();
	follow_first();
	if (program->processors_size)
		sched_setaffinity(0, program->processors_size, program->processors);
	pthread_mutex_lock(&lock);
	fill_reserve();
	keeper = READY;
	for (;;) {
		pthread_cond_broadcast(&changed);
		while (!request.run)
			pthread_cond_wait(&changed, &lock);
		struct work w = request;
		request.run = NULL;
		answer = start(w);
		answered = 1;
	}
	return NULL;
}

int jacquard_start_keeper(const struct jacquard_program *given, int reserve_wanted, int *reserve)
{
	int error = 0;
	pthread_mutex_lock(&lock);
	if (keeper == NONE) {
		program = given;
		wanted = reserve_wanted;
		error = create(keep, NULL, 0);
		if (!error)
			keeper = STARTING;
	}
	while (keeper == STARTING)
		pthread_cond_wait(&changed, &lock);
	*reserve = idle;
	pthread_mutex_unlock(&lock);
	return error;
}

int jacquard_has_descriptors(void)
{
	pthread_mutex_lock(&lock);
	int few = descriptors;
	pthread_mutex_unlock(&lock);
	return few;
}

// ask has the keeper start a thread.
static int ask(struct work w)
{
	static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; // to use request
	pthread_mutex_lock(&turn);
	pthread_mutex_lock(&lock);
	request = w;
	answered = 0;
	pthread_cond_broadcast(&changed);
	while (!answered)
		pthread_cond_wait(&changed, &lock);
	int error = answer;
	pthread_mutex_unlock(&lock);
	pthread_mutex_unlock(&turn);
	return error;
}

int jacquard_start_thread(void *(*run)(void *), void *argument, int needed)
{
	return ask((struct work){.run = run, .argument = argument, .needed = needed});
}

int jacquard_start_runtime(void)
{
	struct work w = first;
	first.run = NULL;
	return w.run ? ask(w) : 0;
}

// The runtime calls this function. Its first thread, which a constructor of the library starts,
// waits until the simulator is opened: from then on a failure to make a thread can be reported.
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
	struct work w = {.run = run, .argument = argument, .needed = 1};
	*thread = pthread_self(); // unused
	if (keeper == NONE) {
		first = w;
		return 0;
	}
	pthread_attr_getstacksize(attributes, &w.stack);
	return ask(w);
}
