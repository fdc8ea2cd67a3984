// The C side of libjacquard.so.1: the threads that serve calls, and the code that separates them
// from the program's threads.
#ifndef JACQUARD_SERVER_H
#define JACQUARD_SERVER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include "simulator.h"

// jacquard_server serves one call for a thread of the program.
typedef CUresult jacquard_server(uint64_t thread, const union jacquard_arguments *);

// jacquard_servers are the servers of the calls, by enum jacquard_call.
extern jacquard_server *const jacquard_servers[];

// serve.c

// jacquard_serve is a thread: it serves a gate until GATE_CLOSE, and frees the gate.
void *jacquard_serve(void *gate);

// jacquard_refuses tells whether a pointer of the program points into the first page, where no memory
// is, and says so. NULL is not refused.
int jacquard_refuses(const void *pointer);

// jacquard_limit_processors bounds the threads that run Go code at once, from the next serving
// thread on.
void jacquard_limit_processors(int most);

// jacquard_watch_calls has each call bring the return addresses on the program's stack, from each
// gate's next call on.
void jacquard_watch_calls(void);
int jacquard_watches_calls(void);

// jacquard_call_stream_callback tells the program that a stream's work is done. This function and
// the next four run on a thread that serves a call; the program's thread that made the call calls
// the program's function.
void jacquard_call_stream_callback(CUstreamCallback callback, CUstream stream, CUresult status, uintptr_t data);

// jacquard_call_block_size asks the program for the dynamic shared memory of a block.
size_t jacquard_call_block_size(CUoccupancyB2DSize callback, int threads);

// jacquard_call_destructor calls a runtime library's destructor of a value in a context.
void jacquard_call_destructor(uintptr_t destructor, CUcontext context, uintptr_t key, uintptr_t value);

// jacquard_print has the program's thread that made the call write text to its standard output.
void jacquard_print(const void *text, size_t size);

// jacquard_gl has the program's thread that made the call answer a request to its OpenGL, and
// returns the answer.
CUresult jacquard_gl(struct gl_request *request, void *memory);

// open.c

// An exported function, by its row in the driver's table of symbols.
void *jacquard_symbol(int row);
const void *jacquard_export_table(int table); // a table of cuGetExportTable
void jacquard_at_exit(void);                  // has Go called when the process ends

// keeper.c

// jacquard_start_keeper starts the keeper, which starts all other threads of the simulator, and the
// reserve of threads. It returns 0 or an error number; reserve gets the number of threads in the
// reserve, of those wanted.
int jacquard_start_keeper(const struct jacquard_program *program, int wanted, int *reserve);

// jacquard_start_thread starts a thread of the simulator that runs a function. A needed thread may
// come from the reserve, which is the runtime's. It returns 0 or an error number.
int jacquard_start_thread(void *(*run)(void *), void *argument, int needed);

// jacquard_has_descriptors tells whether the simulator's threads can open the few files without which
// the Go runtime would end the process. The keeper has started.
int jacquard_has_descriptors(void);

// jacquard_start_runtime releases the Go runtime's first thread.
int jacquard_start_runtime(void);

// mask.c

// jacquard_adopt_thread makes the calling thread the simulator's. All its signals except faults are
// blocked, now and as soon as the Go runtime has initialized the thread.
void jacquard_adopt_thread(void);

// jacquard_is_own_thread tells whether the calling thread is the simulator's.
int jacquard_is_own_thread(void);

// jacquard_set_mask sets the mask to which the calling thread returns from a signal handler, if the
// thread has asked for it; it tells whether the thread has.
int jacquard_set_mask(ucontext_t *interrupted);

// signals.c

// jacquard_take_signals takes the signals that the simulator shares with the program, and returns
// all others to the program. The runtime has installed its handlers.
void jacquard_take_signals(void);

// jacquard_keep_signal takes a shared signal again if the program has installed a handler since.
void jacquard_keep_signal(int number);

// interrupt.c

// Catches SIGINT if it would end the process; tells whether it does.
int jacquard_catch_interrupt(void);
void jacquard_release_interrupt(void); // restores the default action of SIGINT
void jacquard_await_interrupt(void);   // returns after a SIGINT was caught

// errors_gen.c

// jacquard_error_name and jacquard_error_words return a result code's constant and its description,
// or NULL for an unknown code. The strings are never freed.
const char *jacquard_error_name(CUresult code);
const char *jacquard_error_words(CUresult code);

#endif
