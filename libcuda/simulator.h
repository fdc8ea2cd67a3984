// The interface between libcuda.so.1 and libjacquard.so.1, used when the first call of the program
// opens the simulator.
#ifndef JACQUARD_SIMULATOR_H
#define JACQUARD_SIMULATOR_H

#include <sched.h>
#include <stddef.h>

#include "gate.h"

// jacquard_program is what libcuda.so.1 provides.
struct jacquard_program {
	// The exported functions, in the order of the driver's table of symbols.
	void *const *symbols;
	const void *(*export_table)(int table); // a table of cuGetExportTable; the driver numbers them
	void (*at_exit)(void);                  // has the simulator called when the process ends
	size_t processors_size;                 // bytes of processors; 0: unknown
	// The processors of the process when libcuda.so.1 was loaded.
	const cpu_set_t *processors;
};

// jacquard_simulator is what libjacquard.so.1 exports, under this name.
struct jacquard_simulator {
	// open starts the simulator, or gives the reason why it cannot. The caller has blocked all
	// signals.
	CUresult (*open)(const struct jacquard_program *program, const char **why);

	// serve starts a thread that serves the gate until GATE_CLOSE. The caller has blocked all
	// signals.
	CUresult (*serve)(struct gate *gate);
};

#define JACQUARD_SIMULATOR "jacquard_simulator"

// Debuggers and tools show the threads of both libraries under this name. No thread of a program
// has it, even if the program is called jacquard.
#define JACQUARD_THREAD_NAME "libjacquard.so"

#endif
