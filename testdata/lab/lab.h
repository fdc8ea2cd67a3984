// What the programs of the laboratory share.
#pragma once

#include <stdio.h>
#include <stdlib.h>

// CHECK looks at the result of a call, and ends the program if the call failed.
#define CHECK(call)                                   \
	do {                                              \
		cudaError_t result = (call);                  \
		if (result != cudaSuccess) {                  \
			printf("%s\n", cudaGetErrorString(result)); \
			exit(1);                                  \
		}                                             \
	} while (0)
