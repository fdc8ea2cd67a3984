// The simulator's library, which the first call of the program loads.
#ifndef JACQUARD_LOAD_H
#define JACQUARD_LOAD_H

#include "../simulator.h"

// jacquard_load returns the simulator; the first call loads and opens it. It returns NULL with an
// error and its reason if that fails. The caller has blocked all signals.
const struct jacquard_simulator *jacquard_load(void (*at_exit)(void), CUresult *error, const char **why);

// jacquard_is_forked tells whether this process was forked from a process that had loaded the
// simulator: the child has none of the simulator's threads.
int jacquard_is_forked(void);

// jacquard_end_with_program makes the process end after the last thread of the program, as without
// the simulator's threads. The caller has blocked all signals.
void jacquard_end_with_program(void);

// jacquard_is_loaded tells whether this process has opened the simulator.
int jacquard_is_loaded(void);

#endif
