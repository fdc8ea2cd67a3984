//go:build cgo

// One thread, the keeper, starts all others of the simulator. So they inherit little of the
// program's threads: they have a table of descriptors of their own, run on every processor of the
// process, as eagerly as its first thread, and have all signals blocked. The keeper also holds
// threads in reserve, for the Go runtime ends the process when a thread cannot be made.

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

// The linker gives us the runtime's calls of pthread_create (libcuda/lib.mk). Tests of this package
// are linked without.
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) __attribute__((weak));
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// work is what a new thread does.
struct work {
	void *(*run)(void *);
	void *argument;
	size_t stack; // bytes of the thread's stack; 0: as usual
	int needed;   // may take a thread of the reserve
};

// What follows is guarded by lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum { NONE, STARTING, READY } keeper;
static const struct jacquard_program *program;
static int wanted;          // threads in reserve
static int idle;            // threads in reserve, now
static struct work handed;  // to a thread in reserve, if it runs anything
static struct work request; // to the keeper, if it runs anything
static int answered, answer;

static struct work first; // the runtime's first thread, which waits for jacquard_start_runtime

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

// create makes a thread as the runtime does: detached, with a stack as usual or of the size given.
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

// fill_reserve makes threads as long as the system gives them. The keeper holds the lock.
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

// leave_descriptors gives the keeper, and so the threads that it starts, descriptors of their own:
// the program may close all of its descriptors, and no pipe of the program stays open through us.
// Standard error alone stays, for messages. Where the system does not allow that, the descriptors
// are shared.
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

// follow_first gives the keeper the priority of the program's first thread, not of the one that
// made the first call.
static void follow_first(void)
{
	pid_t first = getpid();
	struct sched_param parameters;
	int policy = sched_getscheduler(first);
	if (policy >= 0 && policy != sched_getscheduler(0) && sched_getparam(first, &parameters) == 0)
		sched_setscheduler(0, policy, &parameters);
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, (id_t)first));
}

static void *keep(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, JACQUARD_THREAD_NAME);
	leave_descriptors();
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

// ask has the keeper start a thread.
static int ask(struct work w)
{
	static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; // to ask
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

// Called by the runtime. Its first thread, which a constructor of the library starts, waits until
// the simulator is opened: then there can be an answer if a thread cannot be made.
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
