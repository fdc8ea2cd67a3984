// A gate joins a thread of the program with the thread of the simulator that works for it. The
// program's thread waits in C while the simulator works: no Go code runs on a thread of the
// program, and no signal handler of the program runs on a thread of the simulator
// (docs/design/0026).
#ifndef JACQUARD_GATE_H
#define JACQUARD_GATE_H

#include <stdatomic.h>
#include <stdint.h>

#include "calls_gen.h"
#include "glrequest.h"

// The two sides of a gate. The side that has the turn owns message, number, result and the
// arguments.
enum gate_side { GATE_CALLER, GATE_SERVER };

// A message from one side to the other.
enum gate_message {
	GATE_CALL,     // to the server: make the call; its arguments are in the gate
	GATE_RESULT,   // to the caller: the call's result
	GATE_CALLBACK, // to the caller: call a function of the program
	GATE_RETURNED, // to the server: what that function returned
	GATE_CLOSE,    // to the server: the thread has ended; free the gate
};

// The program's functions that the simulator calls, by the form of their parameters.
enum gate_callback {
	CALLBACK_STREAM,     // void (CUstream, CUresult, void *)
	CALLBACK_BLOCK_SIZE, // size_t (int)
	CALLBACK_DESTRUCTOR, // void (CUcontext, uintptr_t, uintptr_t)
	CALLBACK_PRINT,      // no function: the parameters are a text and its size
	CALLBACK_GL,         // no function: the first parameter is a struct gl_request *
};

// The most return addresses that come with a call.
enum { GATE_FRAMES = 48 };

// callback_arguments are the function for GATE_CALLBACK, and its parameters.
struct callback_arguments {
	uintptr_t function;
	uintptr_t parameters[3];
};

struct gate {
	_Atomic uint32_t turn;         // the side that has the turn, perhaps with GATE_ASLEEP; a futex
	enum gate_message message;     // to the side that has the turn
	int number;                    // an enum jacquard_call or an enum gate_callback
	uintptr_t result;              // of GATE_RESULT and GATE_RETURNED
	uint64_t thread;               // number of the program's thread
	struct {
		int patience; // above 0: spinning has paid off recently
		unsigned waits;
	} sides[2];                    // each side's own
	struct gate *next;             // the thread's next gate; entry.c alone uses it
	volatile uint32_t busy;        // a call is under way; entry.c alone uses it
	int watched;                   // from the server: calls bring the stack of the program
	int depth;                     // of the stack that came with the call
	void *stack[GATE_FRAMES];      // return addresses, innermost first
	union {
		union jacquard_arguments arguments;  // of GATE_CALL
		struct callback_arguments callback; // of GATE_CALLBACK
	};
};

// gate_pass gives the turn to a side and wakes it up.
void gate_pass(struct gate *gate, enum gate_side to);

// gate_wake wakes the other side, in case a thread ended within gate_pass before it woke that side.
void gate_wake(struct gate *gate);

// gate_await waits until side has the turn.
void gate_await(struct gate *gate, enum gate_side side);

#endif
