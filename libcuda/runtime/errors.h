// The errors of the runtime, and the errors of the driver behind them.
#ifndef JACQUARD_RUNTIME_ERRORS_H
#define JACQUARD_RUNTIME_ERRORS_H

#include "../include/cuda.h"

struct runtime_error {
	int value;
	int since;  // release
	int before; // what earlier releases answer
	int driver; // CUresult, or -1
	const char *name;
	const char *text;
};

extern const struct runtime_error runtime_errors[];
extern const int runtime_error_count;

#endif
