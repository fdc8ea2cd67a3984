//go:build cgo

#include "entry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "_cgo_export.h"

// A forked child has one thread and none of those the Go runtime needs: entering Go there would hang or crash.
static atomic_int forked;

static atomic_uint_fast64_t threads;
static _Thread_local uint64_t thread_number;
static pthread_key_t thread_end;

static void note_fork(void) { atomic_store(&forked, 1); }

// end_thread tells Go that a thread which made calls has ended. If another destructor of the thread makes calls
// later, the thread gets a new number and ends once more.
static void end_thread(void *number)
{
	uint64_t ended = *(uint64_t *)number;
	thread_number = 0;
	if (!atomic_load(&forked))
		goThreadEnd(ended);
}

__attribute__((constructor)) static void prepare(void)
{
	pthread_key_create(&thread_end, end_thread);
	pthread_atfork(NULL, NULL, note_fork);
}

static void end_process(void)
{
	if (!atomic_load(&forked))
		goProcessEnd();
}

void jacquard_at_exit(void) { atexit(end_process); }

// refuse says once, in one line, why the program gets no answer. It avoids stdio, whose locks a forked child may
// have inherited held.
static void refuse(const char *symbol)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	char line[256] = "jacquard: ";
	if (atomic_flag_test_and_set(&told))
		return;
	strncat(line, symbol, 80);
	strcat(line, ": a forked child cannot use the simulator; start it as a new program (exec)\n");
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return; // nobody listens
}

uint64_t jacquard_enter(const char *symbol)
{
	if (atomic_load(&forked)) {
		refuse(symbol);
		return 0;
	}
	if (thread_number == 0) {
		thread_number = atomic_fetch_add(&threads, 1) + 1;
		pthread_setspecific(thread_end, &thread_number);
	}
	return thread_number;
}
