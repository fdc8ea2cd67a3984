/* What programs do to their process: host.c WHAT CUBIN [MORE]. The library serves them, or returns
   an error where it must. */
#define _GNU_SOURCE
#include <cuda.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { N = 4096 };

static __thread CUcontext context;
static __thread CUmodule module;

/* run makes a context, if there is none, and adds two vectors. It returns the first error. */
static CUresult run(const char *cubin)
{
	struct {
		uint32_t a, b, c, n;
	} params;
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	static float sums[N];
	CUfunction kernel;
	CUdeviceptr a, b, c;
	CUresult error;
	int i;

	if ((error = cuInit(0)) || (!context && (error = cuCtxCreate(&context, 0, 0))) ||
	    (!module && (error = cuModuleLoad(&module, cubin))) || (error = cuModuleGetFunction(&kernel, module, "vecadd")) ||
	    (error = cuMemAlloc(&a, sizeof sums)) || (error = cuMemAlloc(&b, sizeof sums)) || (error = cuMemAlloc(&c, sizeof sums)) ||
	    (error = cuMemsetD32(a, 0x3f800000, N)) || (error = cuMemsetD32(b, 0x40000000, N)))
		return error;
	params.a = (uint32_t)a, params.b = (uint32_t)b, params.c = (uint32_t)c, params.n = N;
	if ((error = cuLaunchKernel(kernel, N / 64, 1, 1, 64, 1, 1, 0, 0, NULL, extra)) ||
	    (error = cuMemcpyDtoH(sums, c, sizeof sums)))
		return error;
	for (i = 0; i < N; i++)
		REQUIRE(sums[i] == 3);
	OK(cuMemFree(a));
	OK(cuMemFree(b));
	OK(cuMemFree(c));
	return CUDA_SUCCESS;
}

/* status waits for a child and returns its exit status, or -1 if a signal ended it. */
static int status(pid_t child)
{
	int s;
	REQUIRE(child > 0);
	REQUIRE(waitpid(child, &s, 0) == child);
	return WIFEXITED(s) ? WEXITSTATUS(s) : -1;
}

static int threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int n = 0;
	REQUIRE(tasks != NULL);
	for (struct dirent *e; (e = readdir(tasks)) != NULL;)
		n += e->d_name[0] != '.';
	closedir(tasks);
	return n;
}

/* A program linked with the library that makes no call has one thread, and its signals unchanged.
   */
static void linked(const char *cubin)
{
	struct sigaction action;
	int s;
	REQUIRE(cubin != NULL);
	REQUIRE(threads() == 1);
	for (s = 1; s < 32; s++)
		REQUIRE(sigaction(s, NULL, &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
	if (getpid() == 0) /* never, but the linker keeps the library */
		cuInit(0);
}

/* Children forked before the first call work like their parent; children forked later get an error,
   by whatever call they were forked. */
static void forks(const char *cubin)
{
	pid_t child = fork();
	if (child == 0)
		_exit((int)run(cubin));
	EXPECT(CUDA_SUCCESS, status(child));
	OK(run(cubin));
	for (int way = 0; way < 3; way++) {
		child = way == 0 ? fork() : way == 1 ? (pid_t)syscall(SYS_fork) : _Fork();
		if (child == 0) {
			alarm(300);
			_exit((int)run(cubin));
		}
		EXPECT(CUDA_ERROR_NOT_INITIALIZED, status(child));
	}
	OK(run(cubin));
}

/* A daemon forks before its first call. */
static void daemons(const char *cubin)
{
	pid_t child = fork();
	if (child == 0) {
		REQUIRE(daemon(1, 1) == 0); /* the grandchild goes on */
		char answer = (char)run(cubin);
		REQUIRE(write(9, &answer, 1) == 1);
		_exit(0);
	}
	status(child);
}

/* The program closes all of its descriptors, and later reuses their numbers. */
static void descriptors(const char *cubin)
{
	OK(run(cubin));
	for (int fd = 3; fd < 256; fd++)
		close(fd);
	for (int i = 0; i < 8; i++)
		OK(run(cubin));
	int file = open("/proc/self/exe", O_RDONLY);
	REQUIRE(file == 3);
	for (int i = 0; i < 200; i++)
		OK(run(cubin));
	REQUIRE(lseek(file, 0, SEEK_CUR) == 0);

	/* A pipe ends when the program closes its end. */
	int ends[2];
	char byte;
	REQUIRE(pipe(ends) == 0);
	OK(run(cubin));
	close(ends[1]);
	REQUIRE(read(ends[0], &byte, 1) == 0);
}

/* Only the first three descriptors are open. The first call opens no others in the program. */
static void untouched(const char *cubin)
{
	int ends[2];
	REQUIRE(pipe(ends) == 0);
	OK(run(cubin));
	close(ends[1]);
	char byte;
	REQUIRE(read(ends[0], &byte, 1) == 0);
	int next = dup(0);
	REQUIRE(next == ends[1]);
}

/* A limit causes an error, or nothing. Prints the answer. */
static void limited(const char *cubin, int resource, rlim_t most)
{
	struct rlimit limit = {most, most};
	if (resource == RLIMIT_NPROC && getuid() == 0) { /* root has no limits */
		REQUIRE(setgroups(0, NULL) == 0 && setuid(0x6a61) == 0);
	}
	REQUIRE(setrlimit((__rlimit_resource_t)resource, &limit) == 0);
	CUresult first = run(cubin), second = run(cubin);
	REQUIRE(first == CUDA_SUCCESS || first == CUDA_ERROR_OUT_OF_MEMORY || first == CUDA_ERROR_OPERATING_SYSTEM);
	REQUIRE(first == second);
	fprintf(stderr, "answer %d\n", (int)first);
}

static void *run_thread(void *cubin)
{
	OK(run(cubin));
	return NULL;
}

/* The first thread ends before the others, which make calls; the process ends with the last of
   them. */
static void first_ends(const char *cubin)
{
	pthread_t thread;
	OK(run(cubin));
	REQUIRE(pthread_create(&thread, NULL, run_thread, (void *)(uintptr_t)cubin) == 0);
	puts("PASSED"); /* written at the end of the process */
	pthread_exit(NULL);
}

/* The same, but the first thread never makes a call. */
static void first_is_idle(const char *cubin)
{
	pthread_t thread;
	REQUIRE(pthread_create(&thread, NULL, run_thread, (void *)(uintptr_t)cubin) == 0);
	puts("PASSED");
	pthread_exit(NULL);
}

static void *run_for_long(void *cubin)
{
	REQUIRE(prctl(PR_SET_NAME, "jacquard") == 0);
	sleep(1);
	run_thread(cubin);
	puts("PASSED");
	return NULL;
}

/* A thread of the program may have any name. */
static void names(const char *cubin)
{
	pthread_t thread;
	OK(run(cubin));
	REQUIRE(pthread_create(&thread, NULL, run_for_long, (void *)(uintptr_t)cubin) == 0);
	pthread_exit(NULL);
}

static pthread_barrier_t limit_set, all_called;
static int refused;

static void *run_late(void *cubin)
{
	CUresult error;
	pthread_barrier_wait(&limit_set);
	error = run(cubin);
	REQUIRE(error == CUDA_SUCCESS || error == CUDA_ERROR_OPERATING_SYSTEM);
	__atomic_fetch_add(&refused, error != CUDA_SUCCESS, __ATOMIC_SEQ_CST);
	pthread_barrier_wait(&all_called);
	return NULL;
}

/* The system refuses threads to serve more threads of the program: the calls of these are refused,
   and those of others go on. */
static void crowd(const char *cubin)
{
	enum { CROWD = 40 };
	struct rlimit limit = {1, 1};
	pthread_t all[CROWD];
	if (getuid() == 0) /* root has no limits */
		REQUIRE(setgroups(0, NULL) == 0 && setuid(0x6a62) == 0);
	OK(run(cubin));
	REQUIRE(pthread_barrier_init(&limit_set, NULL, CROWD + 1) == 0 && pthread_barrier_init(&all_called, NULL, CROWD + 1) == 0);
	for (int i = 0; i < CROWD; i++)
		REQUIRE(pthread_create(&all[i], NULL, run_late, (void *)(uintptr_t)cubin) == 0);
	REQUIRE(setrlimit(RLIMIT_NPROC, &limit) == 0);
	pthread_barrier_wait(&limit_set);
	pthread_barrier_wait(&all_called);
	for (int i = 0; i < CROWD; i++)
		REQUIRE(pthread_join(all[i], NULL) == 0);
	EXPECT(CROWD, refused);
	for (int i = 0; i < 100; i++)
		OK(run(cubin));
}

static void leave(int number)
{
	(void)number;
	pthread_exit(NULL);
}

static volatile int calling;

static void *call_for_ever(void *unused)
{
	int devices;
	for (;;) {
		OK(cuDeviceGetCount(&devices));
		calling = 1;
	}
	return unused;
}

/* A signal ends a thread anywhere in a call. */
static void leavers(const char *cubin)
{
	OK(run(cubin));
	signal(SIGUSR1, leave);
	for (int i = 0; i < 500; i++) {
		pthread_t thread;
		calling = 0;
		REQUIRE(pthread_create(&thread, NULL, call_for_ever, NULL) == 0);
		while (!calling)
			sched_yield();
		REQUIRE(pthread_kill(thread, SIGUSR1) == 0);
		REQUIRE(pthread_join(thread, NULL) == 0);
	}
	OK(run(cubin));
}

/* The ids of all threads change at once, including the library's. */
static void ids(const char *cubin)
{
	OK(run(cubin));
	for (int i = 0; i < 100; i++) {
		OK(run(cubin));
		REQUIRE(setgid(getgid()) == 0);
	}
}

/* A program bound to one processor leaves the others to the library. */
static void bound(const char *cubin)
{
	cpu_set_t all, one;
	int most = 0;
	REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
	OK(run(cubin));
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *e; (e = readdir(tasks)) != NULL;) {
		cpu_set_t set;
		if (e->d_name[0] != '.' && sched_getaffinity(atoi(e->d_name), sizeof set, &set) == 0 && CPU_COUNT(&set) > most)
			most = CPU_COUNT(&set);
	}
	closedir(tasks);
	REQUIRE(most == CPU_COUNT(&all));
}

static sigjmp_buf again;

static void jump(int number)
{
	(void)number;
	siglongjmp(again, 1);
}

/* Faults of the program are its own: before the library is loaded, after it, and with a handler
   that passes them on to the previous one. Unreadable memory is an error under any handler. */
static struct sigaction found;
static volatile int chained;

static void chain(int number, siginfo_t *info, void *where)
{
	chained++;
	if (found.sa_flags & SA_SIGINFO)
		found.sa_sigaction(number, info, where);
	else
		jump(number);
}

static void faults(const char *cubin)
{
	char *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction action;
	CUdeviceptr p;
	memset(&action, 0, sizeof action);
	action.sa_handler = jump;
	action.sa_flags = SA_NODEFER;
	REQUIRE(sigaction(SIGSEGV, &action, NULL) == 0);
	for (int i = 0; i < 3; i++) {
		OK(run(cubin));
		OK(cuMemAlloc(&p, 100));
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, none, 100));
		EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, (void *)16, 100));
		if (sigsetjmp(again, 1) == 0) {
			*(volatile char *)none = 1;
			REQUIRE(!"a fault");
		}
		if (i == 1) { /* now with a handler that passes faults on to the previous one */
			memset(&action, 0, sizeof action);
			action.sa_sigaction = chain;
			action.sa_flags = SA_SIGINFO | SA_NODEFER;
			REQUIRE(sigaction(SIGSEGV, &action, &found) == 0);
		}
	}
	REQUIRE(chained == 1);
	REQUIRE(sigaction(SIGSEGV, &found, NULL) == 0); /* like libraries that are unloaded */
	OK(run(cubin));
	if (sigsetjmp(again, 1) == 0) {
		*(volatile char *)none = 1;
		REQUIRE(!"a fault");
	}
	REQUIRE(chained == 1);
}

static volatile sig_atomic_t reached;

static void stop(int number)
{
	(void)number;
	reached = 1;
	kill(getpid(), SIGINT); /* ends the launch */
}

static void *launch_endless(void *cubin)
{
	CUfunction kernel;
	CUcontext own;
	OK(cuCtxCreate(&own, 0, 0));
	OK(cuModuleLoad(&module, cubin));
	OK(cuModuleGetFunction(&kernel, module, "endless"));
	OK(cuFuncSetBlockShape(kernel, 32, 1, 1));
	OK(cuLaunchGrid(kernel, 1, 1));
	EXPECT(CUDA_ERROR_LAUNCH_TIMEOUT, cuCtxSynchronize());
	return NULL;
}

/* A signal for the thread that launches an endless kernel is handled while the kernel runs: nothing
   else ends the kernel. */
static void during(const char *cubin)
{
	struct sigaction now;
	pthread_t thread;
	OK(cuInit(0));
	signal(SIGUSR1, stop);
	REQUIRE(pthread_create(&thread, NULL, launch_endless, (void *)(uintptr_t)cubin) == 0);
	do { /* the library takes SIGINT while a kernel runs */
		usleep(1000);
		REQUIRE(sigaction(SIGINT, NULL, &now) == 0);
	} while (now.sa_handler == SIG_DFL);
	REQUIRE(pthread_kill(thread, SIGUSR1) == 0);
	REQUIRE(pthread_join(thread, NULL) == 0);
	REQUIRE(reached);
}

int main(int argc, char **argv)
{
	REQUIRE(argc >= 3);
	/* A shell's background job ignores SIGINT, and the library then keeps that. */
	signal(SIGINT, SIG_DFL);
	const char *what = argv[1], *cubin = argv[2];
	long more = argc > 3 ? atol(argv[3]) : 0;
#define CASE(name, call) if (strcmp(what, name) == 0) { call; return passed(); }
	CASE("linked", linked(cubin))
	CASE("forks", forks(cubin))
	CASE("daemon", daemons(cubin))
	CASE("descriptors", descriptors(cubin))
	CASE("untouched", untouched(cubin))
	CASE("threads", limited(cubin, RLIMIT_NPROC, (rlim_t)more))
	CASE("memory", limited(cubin, RLIMIT_AS, (rlim_t)more << 20))
	CASE("files", limited(cubin, RLIMIT_FSIZE, 0))
	CASE("ids", ids(cubin))
	CASE("bound", bound(cubin))
	CASE("leavers", leavers(cubin))
	CASE("faults", faults(cubin))
	CASE("during", during(cubin))
	CASE("run", OK(run(cubin)))
	CASE("crowd", crowd(cubin))
	if (strcmp(what, "first") == 0)
		first_ends(cubin);
	if (strcmp(what, "idle") == 0)
		first_is_idle(cubin);
	if (strcmp(what, "names") == 0)
		names(cubin);
	printf("%s: no such thing\n", what);
	return 1;
}
