/* A signal ends a thread in a call, after it has passed the turn and before the library's thread is
   woken. */
#define _GNU_SOURCE
#include <cuda.h>
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static long (*real)(long, ...);
static _Thread_local int cut;

/* syscall replaces the C library's, for the library, too. */
long syscall(long number, ...)
{
	long a[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (cut && number == SYS_futex && (a[1] & FUTEX_CMD_MASK) == FUTEX_WAKE) {
		cut = 0;
		raise(SIGUSR1);
	}
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void leave(int number)
{
	(void)number;
	pthread_exit(NULL);
}

static void *call(void *returned)
{
	int devices;
	OK(cuDeviceGetCount(&devices));
	usleep(20000); /* the library's thread sleeps by now */
	cut = 1;
	OK(cuDeviceGetCount(&devices));
	*(int *)returned = 1;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int devices, returned = 0;
	*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	REQUIRE(real);
	OK(cuInit(0));
	signal(SIGUSR1, leave);
	REQUIRE(pthread_create(&thread, NULL, call, &returned) == 0);
	REQUIRE(pthread_join(thread, NULL) == 0);
	REQUIRE(!returned);
	OK(cuDeviceGetCount(&devices));
	return passed();
}
