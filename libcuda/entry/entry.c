#define _GNU_SOURCE
#include "entry.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gl.h"
#include "load.h"

// The calling thread's number, which is never 0 and never used again, and its gates. A thread has
// one gate. A signal handler that makes calls during another call gets one more.
static _Thread_local uint64_t thread_number;
static _Thread_local struct gate *gates;

static _Atomic uint64_t threads;
static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

// set_busy marks a gate. A signal handler sees the mark and the gate's other fields in program
// order.
static void set_busy(struct gate *gate, uint32_t busy)
{
	atomic_signal_fence(memory_order_seq_cst);
	gate->busy = busy;
	atomic_signal_fence(memory_order_seq_cst);
}

// refuse prints once, in one line, the reason why calls cannot be served. refuse avoids stdio,
// because a forked child may inherit locks of stdio that are held.
static void refuse(const char *symbol, const char *why)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	char line[512] = "jacquard: ";
	if (atomic_flag_test_and_set(&told))
		return;
	strncat(line, symbol, 80);
	strcat(line, ": ");
	strncat(line, why, sizeof line - strlen(line) - 2);
	strcat(line, "\n");
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return; // the program has no standard error
}

// finish ends the call under way in a gate of a thread that ends: a callback does not return, and a
// signal handler may have ended the thread before, after or within a pass.
static void finish(struct gate *gate)
{
	if (gate->busy)
		gate_wake(gate);
	while (gate->busy) {
		gate_await(gate, GATE_CALLER);
		if (gate->message == GATE_CALLBACK) {
			gate->message = GATE_RETURNED;
			gate->result = 0;
		}
		if (gate->message == GATE_RETURNED)
			gate_pass(gate, GATE_SERVER);
		else
			gate->busy = 0;
	}
}

// end_thread tells the simulator that a thread which made calls has ended. If a later destructor of
// the thread makes calls, the thread gets a new number and ends once more.
static void end_thread(void *unused)
{
	(void)unused;
	if (jacquard_is_forked())
		return;
	for (struct gate *g = gates; g; g = g->next)
		finish(g);
	jacquard_thread_end();
	struct gate *all = gates;
	// From here on, a signal handler that makes calls gets a new thread number.
	gates = NULL;
	thread_number = 0;
	atomic_signal_fence(memory_order_seq_cst);
	for (struct gate *g = all, *next; g; g = next) {
		next = g->next;
		g->message = GATE_CLOSE;
		gate_pass(g, GATE_SERVER);
	}
}

static void make_thread_end(void) { pthread_key_create(&thread_end, end_thread); }

static void end_process(void)
{
	if (jacquard_is_loaded())
		jacquard_process_end();
}

static void at_exit(void) { atexit(end_process); }

// Whether calls have brought the program's stack: mistakes of the program are looked for.
static _Atomic int watched;

// judge_program has the program judged once its own functions at exit have run: destructors of its
// objects may free memory.
__attribute__((destructor)) static void judge_program(void)
{
	if (watched && jacquard_is_loaded())
		jacquard_program_gone();
}

// open_gate opens one more gate of the calling thread, or returns an error with its reason.
static CUresult open_gate(struct gate **opened, const char **why)
{
	CUresult error = CUDA_ERROR_OPERATING_SYSTEM;
	const struct jacquard_simulator *simulator = jacquard_load(at_exit, &error, why);
	if (!simulator)
		return error;
	struct gate *gate = calloc(1, sizeof *gate);
	if (!gate) {
		*why = "the system has no memory";
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (thread_number == 0) {
		pthread_once(&thread_end_once, make_thread_end);
		thread_number = atomic_fetch_add(&threads, 1) + 1;
		pthread_setspecific(thread_end, &thread_number);
	}
	gate->thread = thread_number;
	gate->sides[GATE_CALLER].patience = gate->sides[GATE_SERVER].patience = 1;
	error = simulator->serve(gate);
	if (error) {
		*why = "the system has no thread for the calling thread's work (ulimit -u?)";
		free(gate);
		return error;
	}
	gate->next = gates;
	gates = gate;
	*opened = gate;
	return error;
}

// take_gate returns a free gate of the calling thread and marks it busy.
static struct gate *take_gate(const char *symbol, CUresult *error)
{
	struct gate *gate = gates;
	while (gate && gate->busy)
		gate = gate->next;
	if (!gate) {
		// A signal handler must not meet a half-opened gate, nor may the thread be cancelled with
		// locks held.
		sigset_t all, before;
		const char *why = "";
		int cancel;
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		*error = open_gate(&gate, &why);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		if (*error)
			refuse(symbol, why);
		pthread_setcancelstate(cancel, NULL);
	}
	if (gate)
		set_busy(gate, 1);
	return gate;
}

// call_back calls a function of the program for the simulator.
static uintptr_t call_back(enum gate_callback form, const struct callback_arguments *a)
{
	switch (form) {
	case CALLBACK_STREAM:
		((void (*)(CUstream, CUresult, void *))a->function)(a->parameters[0], (CUresult)a->parameters[1], (void *)a->parameters[2]);
		return 0;
	case CALLBACK_BLOCK_SIZE:
		return ((size_t(*)(int))a->function)((int)a->parameters[0]);
	case CALLBACK_DESTRUCTOR:
		((void (*)(CUcontext, uintptr_t, uintptr_t))a->function)(a->parameters[0], a->parameters[1], a->parameters[2]);
		return 0;
	case CALLBACK_PRINT:
		// The program's own stdio keeps the text in order with the program's output.
		fwrite((const void *)a->parameters[0], 1, a->parameters[1], stdout);
		return 0;
	case CALLBACK_GL:
		jacquard_gl((struct gl_request *)a->parameters[0]);
		return 0;
	}
	return 0;
}

CUresult jacquard_call(enum jacquard_call number, const char *symbol, const void *arguments, size_t size)
{
	int error_number = errno;
	CUresult error = 0;
	if (jacquard_is_forked()) {
		refuse(symbol, "a forked child cannot use the simulator; start it as a new program (exec)");
		errno = error_number;
		return CUDA_ERROR_NOT_INITIALIZED;
	}
	struct gate *gate = take_gate(symbol, &error);
	if (!gate) {
		errno = error_number;
		return error;
	}
	gate->number = number;
	gate->message = GATE_CALL;
	gate->depth = 0;
	if (gate->watched) {
		watched = 1;
		gate->depth = backtrace(gate->stack, GATE_FRAMES);
	}
	if (size > 0)
		memcpy(&gate->arguments, arguments, size);
	for (;;) {
		gate_pass(gate, GATE_SERVER);
		gate_await(gate, GATE_CALLER);
		if (gate->message == GATE_RESULT)
			break;
		// Calls made by the callback use this gate, because the server waits for them.
		struct callback_arguments callback = gate->callback;
		enum gate_callback form = (enum gate_callback)gate->number;
		set_busy(gate, 0);
		uintptr_t result = call_back(form, &callback);
		set_busy(gate, 1);
		gate->result = result;
		gate->message = GATE_RETURNED;
	}
	CUresult result = (CUresult)gate->result;
	set_busy(gate, 0);
	errno = error_number;
	return result;
}
