// What every entry point does before it hands over to Go.
#ifndef JACQUARD_ENTRY_H
#define JACQUARD_ENTRY_H

#include <stdint.h>

#include "abi_gen.h"

// jacquard_enter returns the calling thread's number, which is never 0 and never used again, or 0 in a forked
// child: the caller must then answer CUDA_ERROR_NOT_INITIALIZED. symbol is named in the message about it.
uint64_t jacquard_enter(const char *symbol);

// jacquard_at_exit has Go told when the process ends, unless it is a forked child.
void jacquard_at_exit(void);

// jacquard_error_name and jacquard_error_words return the constant's name for a result code and the same in words, or
// NULL if there is no such code. The strings last for ever.
const char *jacquard_error_name(CUresult code);
const char *jacquard_error_words(CUresult code);

// jacquard_symbols are the exported functions, in the order of the driver's table of symbols; jacquard_symbol
// returns one of them.
extern void *const jacquard_symbols[];
void *jacquard_symbol(int row);

// jacquard_export_table returns one of the tables that cuGetExportTable hands out; the driver numbers them.
const void *jacquard_export_table(int table);

// jacquard_call_destructor calls what a runtime library gave to be told that a context's value goes away.
void jacquard_call_destructor(uintptr_t destructor, CUcontext context, uintptr_t key, uintptr_t value);

#endif
