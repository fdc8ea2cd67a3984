// Critical sections in more shapes: guards, lambdas, returned values, several locks, several loops.
// Each adds to counters by plain loads and stores, so that a lock that fails loses a count.
#include <cstdio>
#include <cstring>
const int threads = 64, blocks = 3, everyone = threads * blocks;
struct Account { int lock, balance; };
struct State {
	int lock[8], count[8];
	unsigned u;
	unsigned long long ull;
	Account account[5];
	int out[everyone], queue[everyone], front, back;
};

__device__ int mutex;
__device__ void bump(int *c) { volatile int *v = c; *v = *v + 1; }

struct Guard {
	int *m;
	__device__ Guard(int *m) : m(m) {}
	__device__ ~Guard() {
		__threadfence();
		atomicExch(m, 0);
	}
};
__device__ bool tryLock(int *m) {
	return atomicCAS(m, 0, 1) == 0;
}

__global__ void guarded(State *s) {
	bool done = false;
	while (!done) if (tryLock(s->lock)) {
		Guard g(s->lock);
		bump(s->count);
		done = true;
	}
}

__global__ void guardedBreak(State *s) {
	while (true) if (tryLock(s->lock)) {
		Guard g(s->lock);
		bump(s->count);
		break;
	}
}

__global__ void forFlag(State *s) {
	for (bool done = false; !done;) if (tryLock(s->lock)) {
		bump(s->count);
		__threadfence();
		atomicExch(s->lock, 0);
		done = true;
	}
}

__global__ void forCount(State *s) {
	for (int tries = 0; tries < 100000; tries++) if (tryLock(s->lock)) {
		bump(s->count);
		__threadfence();
		atomicExch(s->lock, 0);
		break;
	}
}

template <class F> __device__ void withLock(int *m, F f) {
	bool done = false;
	do {
		if ((done = atomicCAS(m, 0, 1) == 0)) {
			f();
			__threadfence();
			atomicExch(m, 0);
		}
	} while (!done);
}

__global__ void lambda(State *s) {
	withLock(s->lock, [=] { bump(s->count); });
}

__device__ int take(State *s) {
	for (;;) if (atomicExch(s->lock, 1) == 0) {
		int old = *(volatile int *)s->count;
		*(volatile int *)s->count = old + 1;
		__threadfence();
		atomicExch(s->lock, 0);
		return old;
	}
}

__global__ void returnsValue(State *s) {
	s->out[take(s)] = 1;
}

__device__ __noinline__ int takeApart(State *s) {
	while (true) {
		if (atomicExch(s->lock, 1) == 0) {
			int old = *(volatile int *)s->count;
			*(volatile int *)s->count = old + 1;
			__threadfence();
			atomicExch(s->lock, 0);
			return old;
		}
	}
}

__global__ void notInlined(State *s) {
	s->out[takeApart(s)] = 1;
}

__global__ void unsignedLock(State *s) {
	bool done = false;
	while (!done) if (atomicCAS(&s->u, 0u, 1u) == 0u) {
		bump(s->count);
		__threadfence();
		atomicExch(&s->u, 0u);
		done = true;
	}
}

__global__ void longLock(State *s) {
	bool done = false;
	while (!done) if (atomicCAS(&s->ull, 0ull, 1ull) == 0ull) {
		bump(s->count);
		__threadfence();
		atomicExch(&s->ull, 0ull);
		done = true;
	}
}

__global__ void deviceVariable(State *s) {
	bool done = false;
	while (!done) if (!atomicCAS(&mutex, 0, 1)) {
		bump(s->count);
		__threadfence();
		mutex = 0;
		__threadfence();
		done = true;
	}
}

__global__ void byOr(State *s) {
	int bit = 1 << threadIdx.x % 4;
	bool done = false;
	while (!done) if (!(atomicOr(s->lock, bit) & bit)) {
		bump(&s->count[threadIdx.x % 4]);
		__threadfence();
		atomicAnd(s->lock, ~bit);
		done = true;
	}
}

__global__ void byInc(State *s) {
	bool done = false;
	while (!done) {
		if (atomicInc(&s->u, 1000000) == 0) {
			bump(s->count);
			__threadfence();
			atomicExch(&s->u, 0);
			done = true;
		}
	}
}

__global__ void transfer(State *s) {
	int t = threadIdx.x + blockIdx.x * blockDim.x, from = t % 5, to = (t + 1 + t / 5 % 4) % 5;
	int a = min(from, to), b = max(from, to);
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->account[a].lock, 0, 1) == 0) {
			if (atomicCAS(&s->account[b].lock, 0, 1) == 0) {
				*(volatile int *)&s->account[from].balance -= t;
				*(volatile int *)&s->account[to].balance += t;
				__threadfence();
				atomicExch(&s->account[b].lock, 0);
				done = true;
			}
			__threadfence();
			atomicExch(&s->account[a].lock, 0);
		}
	}
	atomicAdd(s->count, 1);
}

__global__ void backOff(State *s) {
	int wait = 1;
	while (true) {
		if (atomicCAS(s->lock, 0, 1) == 0) {
			bump(s->count);
			__threadfence();
			atomicExch(s->lock, 0);
			break;
		}
		for (volatile int i = 0; i < wait; i++) {}
		wait = wait < 64 ? 2 * wait : 64;
	}
}

__global__ void testAndTest(State *s) {
	volatile int *l = s->lock;
	bool done = false;
	while (!done) {
		if (*l == 0 && atomicCAS(s->lock, 0, 1) == 0) {
			bump(s->count);
			__threadfence();
			atomicExch(s->lock, 0);
			done = true;
		}
	}
}

__global__ void semaphore(State *s) {
	bool done = false;
	while (!done) {
		if (atomicSub(s->lock, 1) > -2) {
			atomicAdd(s->count, 1);
			__threadfence();
			done = true;
		}
		atomicAdd(s->lock, 1);
	}
}

__global__ void readerWriter(State *s) {
	// writers: threads of 4
	bool writer = threadIdx.x % 4 == 0, done = false;
	while (!done) {
		if (writer) {
			if (atomicCAS(s->lock, 0, -1) == 0) {
				bump(s->count);
				__threadfence();
				atomicExch(s->lock, 0);
				done = true;
			}
		}  else {
			int n = *(volatile int *)s->lock;
			if (n >= 0 && atomicCAS(s->lock, n, n + 1) == n) {
				atomicAdd(&s->count[1], *(volatile int *)s->count >= 0);
				__threadfence();
				atomicSub(s->lock, 1);
				done = true;
			}
		}
	}
}

__global__ void switched(State *s) {
	bool done = false;
	while (!done) {
		if (atomicCAS(s->lock, 0, 1) == 0) {
			switch (threadIdx.x % 3) {
				case 0: bump(&s->count[0]);
				break;
				case 1: bump(&s->count[1]);
				break;
				default: bump(&s->count[2]);
			}
			__threadfence();
			atomicExch(s->lock, 0);
			done = true;
		}
	}
}

__global__ void earlyOut(State *s) {
	// two places that unlock
	int t = threadIdx.x;
	while (true) {
		if (atomicCAS(s->lock, 0, 1) != 0) continue;
		if (t % 2) {
			bump(&s->count[1]);
			__threadfence();
			atomicExch(s->lock, 0);
			break;
		}
		bump(&s->count[0]);
		__threadfence();
		atomicExch(s->lock, 0);
		break;
	}
}

__global__ void gotoOut(State *s) {
	while (true) {
		if (atomicCAS(s->lock, 0, 1) == 0) {
			bump(s->count);
			__threadfence();
			atomicExch(s->lock, 0);
			goto out;
		}
	}
	out: 	atomicAdd(&s->count[1], 1);
}

__global__ void inFor(State *s) {
	// several sections, one after the other and in a loop
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 2; j++) {
			while (true) {
				if (!atomicCAS(&s->lock[j], 0, 1)) {
					bump(&s->count[j]);
					__threadfence();
					atomicExch(&s->lock[j], 0);
					break;
				}
			}
		}
		if (i == 1 && threadIdx.x % 2) break;
	}
}

__global__ void innerReturns(State *s) {
	for (int i = 0;; i++) {
		while (true) {
			if (!atomicCAS(s->lock, 0, 1)) {
				bump(s->count);
				__threadfence();
				atomicExch(s->lock, 0);
				if (i == 2) return;
				break;
			}
		}
	}
}

__global__ void diverged(State *s) {
	// in an if, before a barrier
	if (threadIdx.x % 3) {
		bool done = false;
		while (!done) if (!atomicCAS(s->lock, 0, 1)) {
			bump(s->count);
			__threadfence();
			atomicExch(s->lock, 0);
			done = true;
		}
	}
	__syncthreads();
	if (threadIdx.x % 3 == 0) {
		while (true) if (!atomicCAS(s->lock, 0, 1)) {
			bump(s->count);
			__threadfence();
			atomicExch(s->lock, 0);
			break;
		}
	}
	__syncthreads();
	if (threadIdx.x == 0) atomicAdd(&s->count[1], 1);
}

__global__ void sharedBuckets(State *s) {
	__shared__ int lock[8], count[8];
	if (threadIdx.x < 8) lock[threadIdx.x] = count[threadIdx.x] = 0;
	__syncthreads();
	int b = threadIdx.x % 8;
	while (true) if (atomicExch(&lock[b], 1) == 0) {
		bump(&count[b]);
		__threadfence_block();
		atomicExch(&lock[b], 0);
		break;
	}
	__syncthreads();
	if (threadIdx.x < 8) atomicAdd(&s->count[threadIdx.x], count[threadIdx.x]);
}

__global__ void sharedGoto(State *s) {
	// goto form in shared memory, one lane
	__shared__ int lock, count;
	if (threadIdx.x == 0) lock = count = 0;
	__syncthreads();
	if (threadIdx.x % 32 == 0) {
		while (atomicCAS(&lock, 0, 1)) {}
		bump(&count);
		__threadfence_block();
		atomicExch(&lock, 0);
	}
	__syncthreads();
	if (threadIdx.x == 0) atomicAdd(s->count, count);
}

__global__ void lockedQueue(State *s) {
	int t = threadIdx.x + blockIdx.x * blockDim.x;
	bool done = false;
	while (!done) if (!atomicCAS(s->lock, 0, 1)) {
		volatile int *b = &s->back;
		((volatile int *)s->queue)[*b] = t;
		*b = *b + 1;
		__threadfence();
		atomicExch(s->lock, 0);
		done = true;
	}
	int got = -1;
	while (got < 0) {
		if (!atomicCAS(s->lock, 0, 1)) {
			volatile int *f = &s->front;
			if (*f < *(volatile int *)&s->back) {
				got = ((volatile int *)s->queue)[*f];
				*f = *f + 1;
			}
			__threadfence();
			atomicExch(s->lock, 0);
		}
	}
	s->out[got] = 1;
}

__global__ void gridBarrier(State *s) {
	atomicAdd(s->count, 1);
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(s->lock, 1);
		while (atomicAdd(s->lock, 0) < (int)gridDim.x) {}
		if (*(volatile int *)s->count == (int)(gridDim.x * blockDim.x)) atomicAdd(&s->count[1], 1);
	}
}

__global__ void warpTurns(State *s) {
	for (int i = 0; i < 32; i++) {
		if ((threadIdx.x & 31) != i) continue;
		while (atomicCAS(s->lock, 0, 1)) {}
		bump(s->count);
		__threadfence();
		atomicExch(s->lock, 0);
	}
}

__global__ void atomicMaxFloat(State *s) {
	int *at = s->count, old = *at, seen;
	float v = threadIdx.x + blockIdx.x * blockDim.x + 1;
	do {
		seen = old;
		if (__int_as_float(seen) >= v) break;
		old = atomicCAS(at, seen, __float_as_int(v));
	}
	while (seen != old);
}

__global__ void philosophers(State *s) {
	int l = threadIdx.x % 5, r = (l + 1) % 5;
	bool ate = false;
	while (!ate) {
		if (tryLock(&s->lock[l])) {
			if (tryLock(&s->lock[r])) {
				bump(&s->count[l]);
				bump(&s->count[r]);
				__threadfence();
				atomicExch(&s->lock[r], 0);
				ate = true;
			}
			__threadfence();
			atomicExch(&s->lock[l], 0);
		}
	}
}

__global__ void lockTwoWays(State *s) {
	// either lock does
	bool done = false;
	while (!done) {
		if (tryLock(&s->lock[0])) {
			bump(&s->count[0]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
			done = true;
		}  		else if (tryLock(&s->lock[1])) {
			bump(&s->count[1]);
			__threadfence();
			atomicExch(&s->lock[1], 0);
			done = true;
		}
	}
}

__global__ void whileAnd(State *s) {
	bool stop = false;
	int n = 0;
	while (!stop && n < 1000000) {
		n++;
		if (tryLock(s->lock)) {
			bump(s->count);
			__threadfence();
			atomicExch(s->lock, 0);
			stop = true;
		}
	}
}

__global__ void negated(State *s) {
	bool locked;
	while (!(locked = false)) {
		locked = atomicCAS(s->lock, 0, 1) != 0;
		if (!locked) {
			bump(s->count);
			__threadfence();
			s->lock[0] = 0;
			__threadfence();
		}
		if (!locked) break;
	}
}

State h;

int sum() { int n = 0; for (int c : h.count) n += c; return n; }

bool once() { return h.count[0] == everyone; }
bool one() { return sum() == everyone; }
bool thrice() { return sum() == 3 * everyone; }
bool both() { return h.count[0] == everyone && h.count[1] == everyone; }
bool outs() { for (int o : h.out) if (o != 1) return false; return true; }
bool money() { int n = 0; for (Account &a : h.account) n += a.balance; return n == 0 && once(); }
bool rw() { return h.count[0] == everyone / 4 && h.count[1] == everyone / 4 * 3; }
bool halves() { return h.count[0] == everyone / 2 && h.count[1] == everyone / 2; }
bool five() { return sum() == (everyone / 2 * 3 + everyone / 2 * 2) * 2; }
bool twoB() { return h.count[0] == everyone && h.count[1] == blocks; }
bool warps() { return h.count[0] == blocks * 2; }
bool top() { float f; memcpy(&f, h.count, 4); return f == everyone; }
bool two() { return sum() == 2 * everyone; }

#include "idioms.h"

Idiom idioms[] = {
	IDIOM(guarded, once), IDIOM(guardedBreak, once), IDIOM(forFlag, once),
	IDIOM(forCount, once), IDIOM(lambda, once), IDIOM(returnsValue, outs),
	IDIOM(notInlined, outs), IDIOM(unsignedLock, once), IDIOM(longLock, once),
	IDIOM(deviceVariable, once), IDIOM(byOr, one), IDIOM(byInc, once), IDIOM(transfer, money),
	IDIOM(backOff, once), IDIOM(testAndTest, once), IDIOM(semaphore, once),
	IDIOM(readerWriter, rw), IDIOM(switched, one), IDIOM(earlyOut, halves),
	IDIOM(gotoOut, both), IDIOM(inFor, five), IDIOM(innerReturns, thrice),
	IDIOM(diverged, twoB), IDIOM(sharedBuckets, one), IDIOM(sharedGoto, warps),
	IDIOM(lockedQueue, outs), IDIOM(gridBarrier, twoB), IDIOM(warpTurns, once),
	IDIOM(atomicMaxFloat, top), IDIOM(lockTwoWays, one), IDIOM(whileAnd, once),
	IDIOM(negated, once),
};

int main(int argc, char **argv) { return run(idioms, argc, argv); }
