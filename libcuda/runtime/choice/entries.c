#include "choice.h"

#include "names_gen.h"

// An entry point is one jump, which does not change arguments and results of any type. An entry
// point is assembly, so that it is exported although the compiler hides names.
#if defined(__x86_64__)
#define JUMP(name) "\tjmp *slot_" #name "(%rip)\n"
#elif defined(__i386__)
#define JUMP(name) "\tcall 1f\n1:\tpopl %eax\n\tjmp *slot_" #name "-1b(%eax)\n"
#elif defined(__aarch64__)
#define JUMP(name) "\tadrp x16, slot_" #name "\n\tldr x16, [x16, #:lo12:slot_" #name "]\n\tbr x16\n"
#else
#error "no jump for this processor"
#endif

// __cudaRegisterFatBinary is a function of choice.c, which reads the first image.
#define ENTRY_POINT(name) \
	__asm__(".text\n.globl " #name "\n.type " #name ",%function\n" #name ":\n" JUMP(name) ".size " #name ", . - " #name "\n");
RUNTIME_NAMES(ENTRY_POINT)

#define SLOT(name) \
	void *slot_##name; \
	static void absent_##name(void) { absent(#name); }
RUNTIME_NAMES(SLOT)
SLOT(__cudaRegisterFatBinary)

#define ENTRY(name) {#name, &slot_##name, absent_##name, 0},
struct entry entries[] = {RUNTIME_NAMES(ENTRY) ENTRY(__cudaRegisterFatBinary)};
const size_t entry_count = sizeof entries / sizeof entries[0];
