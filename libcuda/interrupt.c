//go:build cgo

#include "server.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static sem_t caught;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_caught(void) { sem_init(&caught, 0, 0); }

// The process that catches SIGINT, or 0. Elsewhere the handler restores the default action: in a
// forked child, and in a program that installs the handler again after its release.
static _Atomic pid_t catching;

static void on_interrupt(int number)
{
	if (atomic_load(&catching) == getpid()) {
		sem_post(&caught);
		return;
	}
	signal(number, SIG_DFL);
	raise(number);
}

int jacquard_catch_interrupt(void)
{
	struct sigaction now, action;
	if (sigaction(SIGINT, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
		return 0;
	pthread_once(&once, make_caught);
	memset(&action, 0, sizeof action);
	action.sa_handler = on_interrupt;
	action.sa_flags = SA_RESTART | SA_ONSTACK;
	atomic_store(&catching, getpid());
	return sigaction(SIGINT, &action, NULL) == 0;
}

void jacquard_release_interrupt(void)
{
	struct sigaction now;
	if (sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler == on_interrupt)
		signal(SIGINT, SIG_DFL);
	atomic_store(&catching, 0);
}

void jacquard_await_interrupt(void)
{
	pthread_once(&once, make_caught);
	while (sem_wait(&caught) != 0)
		continue;
}
