//go:build cgo

// How libcuda.so.1 opens the simulator.

#define _GNU_SOURCE
#include "server.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "_cgo_export.h"

// Of the package runtime/cgo: returns when the runtime is ready for calls.
size_t _cgo_wait_runtime_init_done(void);

static const struct jacquard_program *program;

void *jacquard_symbol(int row) { return program->symbols[row]; }
const void *jacquard_export_table(int table) { return program->export_table(table); }
void jacquard_at_exit(void) { program->at_exit(); }

enum {
	// The runtime's own threads besides one per processor: its first, its monitor, the thread that
	// starts others, the thread that waits for the interrupt key, and some that wait for the file
	// system.
	RUNTIME_THREADS = 8,
	MOST_PROCESSORS = 16, // the most processors that the reserve covers
	FIRST_GATE = 1,       // the thread that serves the opening call
};

// has_memory tells whether the process can map the memory that the runtime needs at its start:
// without it the runtime would end the process. The runtime maps some 1,280 MiB, mostly unused, and
// 64 MiB for each part of its heap, whose place is random and needs up to 192 MiB more; the C
// library maps 128 MiB for the first allocation of a thread.
static int has_memory(void)
{
	const size_t bytes = sizeof(void *) == 8 ? (size_t)1792 << 20 : (size_t)96 << 20;
	void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return 0;
	munmap(p, bytes);
	return 1;
}

// run_on_signal_stack makes one handler of the C library, which changes the ids of all threads, run
// on the signal stack of our threads. The C library installs this handler with the first thread,
// after the runtime has looked for handlers.
static void run_on_signal_stack(int number)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		unsigned long mask[2];
	} action;
	const size_t mask_bytes = 8;
	if (syscall(SYS_rt_sigaction, number, NULL, &action, mask_bytes) == 0 && action.handler && !(action.flags & SA_ONSTACK)) {
		action.flags |= SA_ONSTACK;
		syscall(SYS_rt_sigaction, number, &action, NULL, mask_bytes);
	}
}

static const char no_threads[] = "the system does not give the simulator the threads that it needs (ulimit -u?)";

static CUresult open_simulator(const struct jacquard_program *given, const char **why)
{
	enum { CHANGE_IDS = 33 }; // the C library's SIGSETXID
	int processors = given->processors_size ? CPU_COUNT(given->processors) : 1;
	int wanted = (processors < MOST_PROCESSORS ? processors : MOST_PROCESSORS) + RUNTIME_THREADS + FIRST_GATE;
	int reserve = 0;
	program = given;
	if (jacquard_start_keeper(given, wanted, &reserve) != 0 || reserve <= RUNTIME_THREADS + FIRST_GATE) {
		*why = no_threads;
		return CUDA_ERROR_OPERATING_SYSTEM;
	}
	if (!jacquard_has_descriptors()) {
		*why = "the process may not open the files that the simulator needs (ulimit -n?)";
		return CUDA_ERROR_OPERATING_SYSTEM;
	}
	if (!has_memory()) {
		*why = "the process may not map the memory that the simulator needs (ulimit -v?)";
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (reserve < wanted)
		jacquard_limit_processors(reserve - RUNTIME_THREADS - FIRST_GATE);
	run_on_signal_stack(CHANGE_IDS);
	jacquard_take_signals();
	if (jacquard_start_runtime() != 0) {
		*why = no_threads;
		return CUDA_ERROR_OPERATING_SYSTEM;
	}
	// A thread that waited for this in its first call would keep other threads from starting.
	_cgo_wait_runtime_init_done();
	return 0;
}

static CUresult serve(struct gate *gate)
{
	static atomic_flag served = ATOMIC_FLAG_INIT;
	int first = !atomic_flag_test_and_set(&served);
	gate->watched = jacquard_watches_calls();
	return jacquard_start_thread(jacquard_serve, gate, first) ? CUDA_ERROR_OPERATING_SYSTEM : 0;
}

__attribute__((visibility("default"))) const struct jacquard_simulator jacquard_simulator = {open_simulator, serve};
