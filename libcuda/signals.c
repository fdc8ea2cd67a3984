//go:build cgo

// Three signals have two owners. SIGSEGV and SIGBUS are the runtime's on our threads, where it
// turns unreadable memory of the program into an error; SIGSTKFLT sets the mask of our threads. On
// all other threads these signals are the program's, like all other signals everywhere.

#define _GNU_SOURCE
#include "server.h"

#include <sys/syscall.h>
#include <unistd.h>

static const int shared[] = {SIGSEGV, SIGBUS, SIGSTKFLT};
enum { SHARED = sizeof shared / sizeof shared[0], SIGNALS = 65 };

static struct sigaction before[SIGNALS];          // the program's, before the runtime's start
static struct sigaction runtime_actions[SIGNALS]; // the runtime's
static struct sigaction program_actions[SIGNALS]; // the program's later actions
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// This runs before the constructor of the runtime, which installs handlers.
__attribute__((constructor(101))) static void note_actions(void)
{
	for (int s = 1; s < SIGNALS; s++)
		sigaction(s, NULL, &before[s]);
}

// A handler of the program that was installed after ours may pass a signal on to our handler, which
// must not pass the signal back. The kernel clears the end of siginfo_t, so a mark there shows that
// our handler has seen the signal.
static int was_seen(siginfo_t *info)
{
	enum { MARK = 0x4a616371 };
	int *last = (int *)(info + 1) - 1;
	if (*last == MARK)
		return 1;
	*last = MARK;
	return 0;
}

// obey applies the program's action for a signal to a thread of the program.
static void obey(const struct sigaction *action, int number, siginfo_t *info, void *context)
{
	if (action->sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) {
		// The fault repeats without a handler; a sent signal is sent again.
		signal(number, SIG_DFL);
		if (info->si_code <= 0)
			syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
		return;
	}
	sigset_t mask = action->sa_mask;
	if (!(action->sa_flags & SA_NODEFER))
		sigaddset(&mask, number);
	sigorset(&mask, &mask, &((ucontext_t *)context)->uc_sigmask);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, info, context);
	else
		action->sa_handler(number);
}

// pass gives a signal to the owner of the interrupted thread: to the runtime, or to the program
// with its given action.
static void pass(struct sigaction *programs, int number, siginfo_t *info, void *context)
{
	if (number == SIGSTKFLT && jacquard_set_mask(context))
		return;
	if (!jacquard_is_own_thread()) {
		struct sigaction action = *programs;
		if (action.sa_flags & SA_RESETHAND)
			programs->sa_handler = SIG_DFL;
		obey(&action, number, info, context);
	} else if (info->si_code > 0 && number != SIGSTKFLT) {
		runtime_actions[number].sa_sigaction(number, info, context);
	} else {
		// A signal for the process goes to its first thread.
		syscall(SYS_tgkill, getpid(), getpid(), number);
	}
}

// The handler that the first call installs. A program that has replaced this handler may install it
// again, or pass signals on to it. In both cases the handler stands for the program's former
// action.
static void on_signal(int number, siginfo_t *info, void *context) { pass(&before[number], number, info, context); }

// The handler that replaces the program's later handlers.
static void on_signal_since(int number, siginfo_t *info, void *context)
{
	pass(was_seen(info) ? &before[number] : &program_actions[number], number, info, context);
}

static int is_ours(const struct sigaction *action)
{
	return action->sa_sigaction == on_signal || action->sa_sigaction == on_signal_since;
}

// install installs a handler of ours and returns the replaced action.
static struct sigaction install(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction replaced, action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
	sigfillset(&action.sa_mask);
	sigaction(number, &action, &replaced);
	return replaced;
}

void jacquard_take_signals(void)
{
	static int taken;
	if (taken)
		return;
	taken = 1;
	for (int i = 0; i < SHARED; i++)
		runtime_actions[shared[i]] = install(shared[i], on_signal);
	// Other threads of the program may have installed handlers meanwhile: only the runtime's
	// handlers and flag are removed.
	for (int s = 1; s < SIGNALS; s++) {
		struct sigaction now;
		if (sigaction(s, NULL, &now) == 0 && (now.sa_sigaction == runtime_actions[SIGSEGV].sa_sigaction ||
		    (now.sa_handler == before[s].sa_handler && now.sa_flags == (before[s].sa_flags | SA_ONSTACK))))
			sigaction(s, &before[s], NULL);
	}
}

void jacquard_keep_signal(int number)
{
	struct sigaction now;
	if (sigaction(number, NULL, &now) != 0 || is_ours(&now))
		return;
	pthread_mutex_lock(&lock);
	if (sigaction(number, NULL, &now) == 0 && !is_ours(&now)) {
		program_actions[number] = now; // before the signal can come
		now = install(number, on_signal_since);
		if (!is_ours(&now))
			program_actions[number] = now;
	}
	pthread_mutex_unlock(&lock);
}
