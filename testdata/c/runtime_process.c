/* What programs do to their process: forks before and after the first call, signals whose handlers
   make calls, plugins that come and go. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime_check.h"

static int wait_for(pid_t child)
{
	int status;

	REQUIRE(child >= 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A child that is forked before the first call works on its own. */
static void fork_before(void)
{
	pid_t child = fork();

	if (child == 0) {
		OK(launch_bump());
		OK(synchronize());
		exit(7);
	}
	REQUIRE(wait_for(child) == 7);
}

static volatile int stop;

/* busy registers and unregisters, and so holds the library's lock most of the time. */
static void *busy(void *unused)
{
	static struct code code;

	(void)unused;
	while (!stop) {
		static char kernel;
		void **handle = register_code(&code, kernels);
		int i;

		for (i = 0; i < 50; i++)
			register_kernel(handle, &kernel, "bump");
		__cudaUnregisterFatBinary(handle);
	}
	return NULL;
}

/* A child of a process that has used the device gets an error at once, and ends as usual. */
static void fork_after(void)
{
	pthread_t thread;
	int i;

	OK(launch_bump());
	REQUIRE(pthread_create(&thread, NULL, busy, NULL) == 0);
	for (i = 0; i < 20; i++) {
		pid_t child = fork();

		if (child == 0) {
			void *p;

			alarm(60); /* it must not hang */
			EXPECT(cudaErrorInitializationError, cudaMalloc(&p, 4));
			EXPECT(cudaErrorInitializationError, cudaGetLastError());
			REQUIRE(launch_bump() != cudaSuccess);
			exit(3); /* unregisters */
		}
		REQUIRE(wait_for(child) == 3);
	}
	stop = 1;
	REQUIRE(pthread_join(thread, NULL) == 0);
	OK(launch_bump());
	OK(synchronize());
}

static const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
static volatile sig_atomic_t signals;
static unsigned *memory;

/* Calls in a handler answer something, whatever they interrupt. */
static void handler(int number)
{
	unsigned word;

	(void)number;
	if (++signals == 100) /* a slow machine would do nothing but handle signals */
		setitimer(ITIMER_REAL, &never, NULL);
	cudaMemset(memory, 0, 4);
	cudaMemcpyFromSymbol(&word, &counter, 4, 0, cudaMemcpyDeviceToHost);
	launch_bump();
}

static void in_handlers(void)
{
	OK(cudaMalloc((void **)&memory, 4096));
	OK(launch_bump());
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, NULL);
	while (signals < 100) {
		static struct code code;
		static char kernel;
		void **handle = register_code(&code, kernels);

		register_kernel(handle, &kernel, "bump");
		launch_bump();
		cudaGetLastError();
		__cudaUnregisterFatBinary(handle);
	}
	signal(SIGALRM, SIG_DFL);
	cudaGetLastError();
	OK(launch_bump());
	OK(synchronize());
}

/* A plugin brings kernels of its own, and goes. */
static void plugins(const char *path)
{
	int i;

	for (i = 0; i < 3; i++) {
		void *plugin = dlopen(path, RTLD_NOW);
		unsigned (*run)(void);

		if (plugin == NULL)
			puts(dlerror());
		REQUIRE(plugin != NULL);
		*(void **)&run = dlsym(plugin, "run_plugin");
		REQUIRE(run != NULL);
		REQUIRE(run() == 33 && run() == 34);
		REQUIRE(dlclose(plugin) == 0);
		OK(launch_bump());
	}
}

int main(int argc, char **argv)
{
	REQUIRE(argc == 2);
	fork_before();
	plugins(argv[1]);
	fork_after();
	in_handlers();
	plugins(argv[1]);
	return passed();
}
