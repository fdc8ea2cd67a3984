// What libcuda.so.1 and libjacquard.so.1 give to each other when the first call of the program
// opens the simulator.
#ifndef JACQUARD_SIMULATOR_H
#define JACQUARD_SIMULATOR_H

#include <sched.h>
#include <stddef.h>

#include "gate.h"

// jacquard_program is what the simulator needs of libcuda.so.1.
struct jacquard_program {
	void *const *symbols;                   // the exported functions, in the order of the driver's table of symbols
	const void *(*export_table)(int table); // a table of cuGetExportTable; the driver numbers them
	void (*at_exit)(void);                  // has the simulator told when the process ends
	size_t processors_size;                 // bytes of processors; 0: unknown
	const cpu_set_t *processors;            // where the process could run when libcuda.so.1 was loaded
};

// jacquard_simulator is what libjacquard.so.1 exports, under this name.
struct jacquard_simulator {
	// open starts the simulator, or says why it cannot. The caller has blocked all signals.
	CUresult (*open)(const struct jacquard_program *program, const char **why);

	// serve starts a thread that serves the gate until GATE_CLOSE. The caller has blocked all
	// signals.
	CUresult (*serve)(struct gate *gate);
};

#define JACQUARD_SIMULATOR "jacquard_simulator"

// Debuggers and tools show the threads of both libraries under this name, which no thread of a
// program has: a program may be called jacquard, and its threads are then called so too.
#define JACQUARD_THREAD_NAME "libjacquard.so"

#endif
