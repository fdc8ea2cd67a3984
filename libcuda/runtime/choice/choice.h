// The library without a number, libcudart.so. This library holds no runtime: it chooses a release
// for the program that loads it, and its entry points jump into the library of that release, in the
// same folder.
#ifndef JACQUARD_RUNTIME_CHOICE_H
#define JACQUARD_RUNTIME_CHOICE_H

#include <stddef.h>

// struct entry is an entry point: it jumps to the address in its slot.
struct entry {
	const char *name;
	void **slot;
	void (*absent)(void); // the slot's address where the release has no such function
	int imported; // by an object of the process
};

// entries.c
extern struct entry entries[];
extern const size_t entry_count;
extern void *slot___cudaRegisterFatBinary;

// absent ends the process: a program called a function that its release does not have.
_Noreturn void absent(const char *name);

// imports.c

// find_imports notes which entry points are imported by the objects that link library, which may be
// only part of a path. It returns the number of such objects.
size_t find_imports(const char *library);

#endif
