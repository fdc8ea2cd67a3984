/* The interrupt key during an endless kernel: the launch ends, the program goes on. Without a
   kernel the key ends the program, as usual. The parent process plays the user. */
#include <cuda.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* catches tells whether a process has a handler for SIGINT at present. */
static int catches(pid_t process)
{
	char path[64], line[128];
	unsigned long long caught = 0;
	FILE *file;

	sprintf(path, "/proc/%d/status", (int)process);
	file = fopen(path, "r");
	REQUIRE(file != NULL);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "SigCgt: %llx", &caught) == 1)
			break;
	fclose(file);
	return caught >> (SIGINT - 1) & 1;
}

/* launch_endless runs the endless kernel until it is interrupted. It tells the parent through the
   pipe when it starts. */
static void launch_endless(const char *cubin, int out)
{
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr p;
	struct sigaction before, after;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&module, cubin));
	OK(cuModuleGetFunction(&kernel, module, "endless"));
	OK(cuFuncSetBlockShape(kernel, 32, 1, 1));
	REQUIRE(sigaction(SIGINT, NULL, &before) == 0);
	REQUIRE(write(out, "l", 1) == 1);
	OK(cuLaunchGrid(kernel, 1, 1));
	EXPECT(CUDA_ERROR_LAUNCH_TIMEOUT, cuCtxSynchronize());
	EXPECT(CUDA_ERROR_LAUNCH_TIMEOUT, cuMemAlloc(&p, 4));
	OK(cuCtxDestroy(context));
	REQUIRE(sigaction(SIGINT, NULL, &after) == 0);
	REQUIRE(before.sa_handler == SIG_DFL && after.sa_handler == SIG_DFL);

	/* Another context works. */
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuMemAlloc(&p, 4));
	OK(cuCtxDestroy(context));
	REQUIRE(write(out, "e", 1) == 1);
}

int main(int argc, char **argv)
{
	int channel[2], status, ended = 0;
	pid_t child;
	char word;

	/* The test starts this program, which starts itself as the one to be interrupted. */
	if (argc == 3) {
		launch_endless(argv[1], atoi(argv[2]));
		for (;;)
			pause();
	}
	REQUIRE(argc == 2);
	REQUIRE(pipe(channel) == 0);
	child = fork();
	REQUIRE(child >= 0);
	if (child == 0) {
		char fd[16];
		signal(SIGINT, SIG_DFL);
		sprintf(fd, "%d", channel[1]);
		execl("/proc/self/exe", argv[0], argv[1], fd, (char *)NULL);
		_exit(1);
	}
	close(channel[1]);
	REQUIRE(read(channel[0], &word, 1) == 1 && word == 'l');
	/* before the launch the key would end the program */
	while (!catches(child))
		usleep(1000);
	REQUIRE(kill(child, SIGINT) == 0);
	if (read(channel[0], &word, 1) == 1 && word == 'e') {
		ended = 1;
		kill(child, SIGINT);
	} else {
		kill(child, SIGKILL);
	}
	REQUIRE(waitpid(child, &status, 0) == child);
	REQUIRE(ended);
	REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	return passed();
}
