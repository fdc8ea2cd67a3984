//go:build cgo

// The Go runtime unblocks some signals on every thread that it initializes, SIGPROF and SIGCHLD
// among them, whatever mask the thread began with. A handler of the program would then run on a
// goroutine's stack. So each thread of the simulator has one of those signals pending when the
// runtime unblocks them: SIGSTKFLT, which no kernel sends. The handler of SIGSTKFLT runs before any
// other and replaces the runtime's mask by the simulator's.

#define _GNU_SOURCE
#include "server.h"

#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int own __attribute__((tls_model("initial-exec")));
static _Thread_local int awaited __attribute__((tls_model("initial-exec")));

int jacquard_is_own_thread(void) { return own; }

void jacquard_adopt_thread(void)
{
	own = 1;
	awaited = 1;
	jacquard_keep_signal(SIGSTKFLT);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTKFLT);
}

int jacquard_set_mask(ucontext_t *interrupted)
{
	if (!awaited)
		return 0;
	awaited = 0;
	sigfillset(&interrupted->uc_sigmask); // except those that the C library needs
	sigdelset(&interrupted->uc_sigmask, SIGSEGV);
	sigdelset(&interrupted->uc_sigmask, SIGBUS);
	return 1;
}
