/* Signal handlers of the program while kernels run:
   signals.c CUBIN SIGNAL STACK MILLISECONDS THREADS [before]. The handler is installed without
   SA_ONSTACK and uses STACK bytes of stack; "before" installs it before the first call. Threads
   launch and check their results all the while. */
#define _GNU_SOURCE
#include <cuda.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { N = 4096 };

static const struct {
	const char *name;
	int number;
	int timer; /* sends the signal, or -1: the first thread sends it */
} signals[] = {
	{"alrm", SIGALRM, ITIMER_REAL}, {"prof", SIGPROF, ITIMER_PROF}, {"vtalrm", SIGVTALRM, ITIMER_VIRTUAL},
	{"urg", SIGURG, -1}, {"usr1", SIGUSR1, -1}, {"chld", SIGCHLD, -1}, {"io", SIGIO, -1},
	{"pipe", SIGPIPE, -1}, {"stkflt", SIGSTKFLT, -1}, {"segv", SIGSEGV, -1}, {"rt", 0 /* SIGRTMIN */, -1},
};

static volatile int stack_bytes;
static volatile sig_atomic_t handled;
static volatile int done;
static CUcontext context;
static CUfunction kernel;

static void handler(int number)
{
	char room[stack_bytes];
	(void)number;
	memset(room, 0x5a, sizeof room);
	__asm__ volatile("" : : "r"(room) : "memory");
	handled++;
}

static void install(int number)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = handler;
	action.sa_flags = SA_RESTART;
	REQUIRE(sigaction(number, &action, NULL) == 0);
}

static void *launch(void *argument)
{
	struct {
		uint32_t a, b, c, n;
	} params;
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	CUdeviceptr a, b, c;
	float sums[N];
	int i;

	OK(cuCtxSetCurrent(context));
	OK(cuMemAlloc(&a, sizeof sums));
	OK(cuMemAlloc(&b, sizeof sums));
	OK(cuMemAlloc(&c, sizeof sums));
	OK(cuMemsetD32(a, 0x3f800000, N));
	OK(cuMemsetD32(b, 0x40000000, N));
	params.a = (uint32_t)a, params.b = (uint32_t)b, params.c = (uint32_t)c, params.n = N;
	while (!done) {
		OK(cuMemsetD32(c, 0, N));
		OK(cuLaunchKernel(kernel, N / 64, 1, 1, 64, 1, 1, 0, 0, NULL, extra));
		OK(cuMemcpyDtoH(sums, c, sizeof sums));
		for (i = 0; i < N; i++)
			REQUIRE(sums[i] == 3);
	}
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	struct timespec now, end;
	CUmodule module;
	int which = -1, number, count, i;

	REQUIRE(argc >= 6);
	for (i = 0; i < (int)(sizeof signals / sizeof signals[0]); i++)
		if (strcmp(argv[2], signals[i].name) == 0)
			which = i;
	REQUIRE(which >= 0);
	number = signals[which].number ? signals[which].number : SIGRTMIN;
	stack_bytes = atoi(argv[3]);
	count = atoi(argv[5]);
	REQUIRE(count <= 64);
	if (argc > 6)
		install(number);
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	if (argc == 6)
		install(number);
	for (i = 0; i < count; i++)
		REQUIRE(pthread_create(&threads[i], NULL, launch, NULL) == 0);
	if (signals[which].timer >= 0)
		REQUIRE(setitimer(signals[which].timer, &often, NULL) == 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += atoi(argv[4]) / 1000;
	end.tv_nsec += atoi(argv[4]) % 1000 * 1000000L;
	do { /* at least one signal, even on a slow machine */
		if (signals[which].timer < 0) {
			REQUIRE(kill(getpid(), number) == 0);
			REQUIRE(pthread_kill(threads[0], number) == 0);
		}
		usleep(200);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (handled == 0 || now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
	done = 1;
	for (i = 0; i < count; i++)
		REQUIRE(pthread_join(threads[i], NULL) == 0);
	if (signals[which].timer >= 0)
		setitimer(signals[which].timer, &never, NULL);
	fprintf(stderr, "%d signals handled\n", (int)handled);
	return passed();
}
