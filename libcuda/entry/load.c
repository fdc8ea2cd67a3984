#define _GNU_SOURCE
#include "load.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "entry.h"

static const char simulator_name[] = "libjacquard.so.1";

// The process that loads or has loaded the simulator, or 0. The C library reports only forks
// through its own fork; the process id shows every fork.
static _Atomic pid_t owner;

// A page that the kernel clears in a forked child: the process id without a system call. NULL if
// there is none.
static _Atomic uint32_t *_Atomic alive;

static const struct jacquard_simulator *_Atomic simulator;

// The processors of the process. A thread may be bound to one processor when it makes the first
// call; the simulator's threads must not inherit that limit.
static cpu_set_t processors;
static int processors_known;

// The path of the simulator's library, which lies beside this library. It is absolute, because the
// program may change its folder.
static char simulator_path[PATH_MAX];

__attribute__((constructor)) static void note_surroundings(void)
{
	Dl_info self;
	char resolved[PATH_MAX];
	processors_known = sched_getaffinity(0, sizeof processors, &processors) == 0;
	if (!dladdr((void *)jacquard_call, &self) || !self.dli_fname || !realpath(self.dli_fname, resolved))
		return;
	int folder = (int)(strrchr(resolved, '/') - resolved);
	int n = snprintf(simulator_path, sizeof simulator_path, "%.*s/%s", folder, resolved, simulator_name);
	if (n < 0 || (size_t)n >= sizeof simulator_path)
		simulator_path[0] = 0;
}

int jacquard_is_forked(void)
{
	_Atomic uint32_t *page = atomic_load_explicit(&alive, memory_order_relaxed);
	if (page)
		return atomic_load_explicit(page, memory_order_relaxed) == 0;
	pid_t of = atomic_load_explicit(&owner, memory_order_relaxed);
	return of != 0 && of != getpid();
}

int jacquard_is_loaded(void)
{
	return atomic_load_explicit(&simulator, memory_order_acquire) != NULL && !jacquard_is_forked();
}

// mark_process notes that this process is the owner.
static void mark_process(void)
{
#ifdef MADV_WIPEONFORK
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	_Atomic uint32_t *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return;
	if (madvise((void *)page, size, MADV_WIPEONFORK) != 0) {
		munmap((void *)page, size);
		return;
	}
	atomic_store(page, 1);
	atomic_store(&alive, page);
#endif
}

// open_library loads the simulator's library and starts it. The reason of an error is a literal or
// dlerror's text, which stays valid on this thread.
static const struct jacquard_simulator *open_library(void (*at_exit)(void), CUresult *error, const char **why)
{
	static struct jacquard_program program;
	*error = CUDA_ERROR_OPERATING_SYSTEM;
	if (!simulator_path[0]) {
		*why = "the folder of libcuda.so.1 cannot be found";
		return NULL;
	}
	void *library = dlopen(simulator_path, RTLD_NOW | RTLD_LOCAL);
	const struct jacquard_simulator *found = library ? dlsym(library, JACQUARD_SIMULATOR) : NULL;
	if (!found) {
		*why = dlerror();
		return NULL;
	}
	program = (struct jacquard_program){
		.symbols = jacquard_symbols,
		.export_table = jacquard_export_table,
		.at_exit = at_exit,
		.processors_size = processors_known ? sizeof processors : 0,
		.processors = &processors,
	};
	*error = found->open(&program, why);
	return *error ? NULL : found;
}

const struct jacquard_simulator *jacquard_load(void (*at_exit)(void), CUresult *error, const char **why)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const struct jacquard_simulator *found = atomic_load_explicit(&simulator, memory_order_acquire);
	if (found)
		return found;
	atomic_store(&owner, getpid()); // before anything starts that a forked child could not end
	pthread_mutex_lock(&lock);
	found = atomic_load_explicit(&simulator, memory_order_acquire);
	if (!found) {
		if (!atomic_load(&alive))
			mark_process();
		found = open_library(at_exit, error, why);
		atomic_store_explicit(&simulator, found, memory_order_release);
		if (found)
			jacquard_end_with_program();
	}
	pthread_mutex_unlock(&lock);
	return found;
}
