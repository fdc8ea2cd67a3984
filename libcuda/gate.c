//go:build cgo

// Both libraries have their own copy of this file: libcuda.so.1 calls, libjacquard.so.1 serves.

#define _GNU_SOURCE
#include "gate.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The side that waits for its turn sleeps in the kernel and must be woken.
enum { GATE_ASLEEP = 2 };

enum {
	// How long a side spins on the gate before it sleeps. Waking a thread takes some 5 µs, and a
	// launch of one block of a known kernel about as long. Longer spinning gains nothing and takes
	// a processor from the threads that run kernels.
	SPIN_NANOSECONDS = 20000,

	// A side that has spun in vain this often sleeps at once, as when both sides share a processor.
	// That side spins again at one wait in RETRY.
	PATIENCE = 4,
	RETRY = 16,
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static int64_t nanoseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// can_spin tells whether two threads can run at once.
static int can_spin(void)
{
	static _Atomic int processors;
	int count = atomic_load_explicit(&processors, memory_order_relaxed);
	if (count == 0) {
		cpu_set_t set;
		// 2 for more processors than a cpu_set_t holds.
		count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 2;
		atomic_store_explicit(&processors, count, memory_order_relaxed);
	}
	return count > 1;
}

static int is_turn(struct gate *gate, enum gate_side side)
{
	return (atomic_load_explicit(&gate->turn, memory_order_acquire) & ~(uint32_t)GATE_ASLEEP) == (uint32_t)side;
}

static int spin(struct gate *gate, enum gate_side side)
{
	if (is_turn(gate, side))
		return 1;
	if (!can_spin() || (gate->sides[side].patience <= 0 && ++gate->sides[side].waits % RETRY != 0))
		return 0;
	for (int64_t end = nanoseconds() + SPIN_NANOSECONDS; nanoseconds() < end;)
		for (int i = 0; i < 8; i++) {
			relax();
			if (is_turn(gate, side)) {
				gate->sides[side].patience = PATIENCE;
				return 1;
			}
		}
	gate->sides[side].patience--;
	return 0;
}

void gate_await(struct gate *gate, enum gate_side side)
{
	uint32_t other = 1 - (uint32_t)side;
	if (spin(gate, side))
		return;
	while (!is_turn(gate, side)) {
		uint32_t seen = other;
		if (atomic_compare_exchange_strong(&gate->turn, &seen, other | GATE_ASLEEP) || seen == (other | GATE_ASLEEP))
			syscall(SYS_futex, &gate->turn, FUTEX_WAIT_PRIVATE, other | GATE_ASLEEP, NULL, NULL, 0);
	}
}

void gate_wake(struct gate *gate) { syscall(SYS_futex, &gate->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

void gate_pass(struct gate *gate, enum gate_side to)
{
	if (atomic_exchange(&gate->turn, to) & GATE_ASLEEP)
		gate_wake(gate);
}
