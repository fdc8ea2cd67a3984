// A gate joins a thread of the program with the thread of the simulator that works for it. The
// program's thread waits in C while the simulator works: no Go code runs on a thread of the
// program, and no signal handler of the program on a thread of the simulator. docs/design/0026 has
// the reasons.
#ifndef JACQUARD_GATE_H
#define JACQUARD_GATE_H

#include <stdatomic.h>
#include <stdint.h>

#include "calls_gen.h"

// The two sides of a gate. The side whose turn it is owns message, number, result and the
// arguments.
enum gate_side { GATE_CALLER, GATE_SERVER };

// What one side tells the other.
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
};

// callback_arguments are the function that GATE_CALLBACK asks for, and its parameters.
struct callback_arguments {
	uintptr_t function;
	uintptr_t parameters[3];
};

struct gate {
	_Atomic uint32_t turn;         // whose turn it is, perhaps with GATE_ASLEEP; a futex
	enum gate_message message;     // to the side whose turn it is
	int number;                    // of the call (enum jacquard_call) or callback (enum gate_callback)
	uintptr_t result;              // of GATE_RESULT and GATE_RETURNED
	uint64_t thread;               // number of the program's thread
	struct {
		int patience; // above 0: looking at the gate has paid of late
		unsigned waits;
	} sides[2];                    // each side's own
	struct gate *next;             // the thread's next gate; entry.c alone uses it
	volatile uint32_t busy;        // a call is under way; entry.c alone uses it
	union {
		union jacquard_arguments arguments;  // of GATE_CALL
		struct callback_arguments callback; // of GATE_CALLBACK
	};
};

// gate_pass gives the turn to a side and wakes it up.
void gate_pass(struct gate *gate, enum gate_side to);

// gate_wake wakes the other side up, whose turn it may be: a thread may have ended within gate_pass.
void gate_wake(struct gate *gate);

// gate_await waits until it is the turn of a side.
void gate_await(struct gate *gate, enum gate_side side);

#endif
