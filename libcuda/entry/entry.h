// Every entry point hands its call to the simulator and waits for the result.
#ifndef JACQUARD_ENTRY_H
#define JACQUARD_ENTRY_H

#include "../gate.h"

// jacquard_call makes call number for the calling thread and returns its result. The function
// copies the arguments. Without a simulator it prints the reason once, with symbol, and returns an
// error.
CUresult jacquard_call(enum jacquard_call number, const char *symbol, const void *arguments, size_t size);

// jacquard_symbols are the exported functions, in the order of the driver's table of symbols.
extern void *const jacquard_symbols[];

// jacquard_export_table returns one of the tables of cuGetExportTable; the driver numbers them.
const void *jacquard_export_table(int table);

#endif
