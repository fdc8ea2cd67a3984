//go:build cgo

#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

int jacquard_interrupt_is_default(void)
{
	struct sigaction now;
	return sigaction(SIGINT, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
}
