//go:build cgo

#define _GNU_SOURCE
#include "server.h"

#include <stdlib.h>

#include "_cgo_export.h"

// The gate that the calling thread serves, and whether the program's thread ended during a
// callback.
static _Thread_local struct gate *serving;
static _Thread_local int closing;

static int limit; // argument of goThreadBegin

void jacquard_limit_processors(int most) { limit = most; }

// Whether calls bring the program's stack.
static _Atomic int watching;

void jacquard_watch_calls(void) { watching = 1; }

int jacquard_watches_calls(void) { return watching; }

int jacquard_refuses(const void *pointer)
{
	const uintptr_t first_page = 4096;
	if ((uintptr_t)pointer == 0 || (uintptr_t)pointer >= first_page)
		return 0;
	goBadPointer((uintptr_t)pointer);
	return 1;
}

// answer makes the call that the gate holds.
static void answer(struct gate *gate)
{
	jacquard_keep_signal(SIGSEGV);
	jacquard_keep_signal(SIGBUS);
	int told = gate->depth > 0;
	if (told)
		goCallBegins(gate->thread, gate->stack, gate->depth);
	CUresult result = jacquard_servers[gate->number](gate->thread, &gate->arguments);
	if (told)
		goCallEnds(gate->thread, result);
	gate->watched = watching;
	gate->result = (uintptr_t)result;
	gate->message = GATE_RESULT;
}

void *jacquard_serve(void *argument)
{
	struct gate *gate = argument;
	serving = gate;
	goThreadBegin(limit);
	for (;;) {
		gate_await(gate, GATE_SERVER);
		if (gate->message == GATE_CLOSE)
			break;
		answer(gate);
		if (closing)
			break;
		gate_pass(gate, GATE_CALLER);
	}
	free(gate);
	return NULL;
}

// call_back has the waiting thread of the program call one of its functions. The function's own
// calls come through the same gate.
static uintptr_t call_back(enum gate_callback form, struct callback_arguments arguments)
{
	struct gate *gate = serving;
	gate->number = (int)form;
	gate->callback = arguments;
	gate->message = GATE_CALLBACK;
	while (!closing) {
		gate_pass(gate, GATE_CALLER);
		gate_await(gate, GATE_SERVER);
		if (gate->message == GATE_RETURNED)
			return gate->result;
		if (gate->message == GATE_CLOSE)
			closing = 1;
		else
			answer(gate);
	}
	return 0;
}

void jacquard_call_stream_callback(CUstreamCallback callback, CUstream stream, CUresult status, uintptr_t data)
{
	call_back(CALLBACK_STREAM, (struct callback_arguments){callback, {stream, (uintptr_t)status, data}});
}

size_t jacquard_call_block_size(CUoccupancyB2DSize callback, int threads)
{
	return call_back(CALLBACK_BLOCK_SIZE, (struct callback_arguments){callback, {(uintptr_t)threads}});
}

void jacquard_call_destructor(uintptr_t destructor, CUcontext context, uintptr_t key, uintptr_t value)
{
	call_back(CALLBACK_DESTRUCTOR, (struct callback_arguments){destructor, {context, key, value}});
}

void jacquard_print(const void *text, size_t size)
{
	call_back(CALLBACK_PRINT, (struct callback_arguments){0, {(uintptr_t)text, size}});
}

CUresult jacquard_gl(struct gl_request *request, void *memory)
{
	request->memory = memory;
	request->answer = CUDA_ERROR_UNKNOWN; // unless the program's thread answers
	call_back(CALLBACK_GL, (struct callback_arguments){0, {(uintptr_t)request}});
	return request->answer;
}
