// Locks as books and forums write them: lanes of one warp take turns. Each kernel adds to counters
// by plain loads and stores, so that a lock that fails loses a count.
#include <cstdio>
#include <cstdlib>
#include <cstring>

const int threads = 64, blocks = 3, everyone = threads * blocks, buckets = 5;

struct Node {
	int key;
	Node *next;
};

struct State {
	int lock[buckets], count[buckets];
	int ticket, turn;
	Node *head[buckets];
	Node pool[everyone];
};

__device__ void bump(int *count) {
	volatile int *v = count;
	*v = *v + 1;
}

__global__ void whileFlag(State *s) {
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			bump(&s->count[0]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
			done = true;
		}
	}
}

__global__ void whileFlagUnfenced(State *s) {
	bool waiting = true;
	while (waiting) {
		if (!atomicCAS(&s->lock[0], 0, 1)) {
			bump(&s->count[0]);
			atomicExch(&s->lock[0], 0);
			waiting = false;
		}
	}
}

__global__ void loopBreak(State *s) {
	while (true) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			bump(&s->count[0]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
			break;
		}
	}
}

__global__ void loopContinue(State *s) {
	for (;;) {
		if (atomicCAS(&s->lock[0], 0, 1) != 0)
			continue;
		bump(&s->count[0]);
		__threadfence();
		atomicExch(&s->lock[0], 0);
		break;
	}
}

__global__ void loopReturn(State *s) {
	for (;;) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			bump(&s->count[0]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
			return;
		}
	}
}

__global__ void doWhile(State *s) {
	bool got;
	do {
		if ((got = atomicCAS(&s->lock[0], 0, 1) == 0)) {
			bump(&s->count[0]);
			__threadfence();
		}
		if (got) atomicExch(&s->lock[0], 0);
	} while (!got);
}

__global__ void doWhileVolatile(State *s) {
	volatile int *m = s->lock;
	bool leave = false;
	do {
		if (atomicCAS((int *)m, 0, 1) == 0) {
			bump(&s->count[0]);
			__threadfence();
			*m = 0;
			leave = true;
		}
	} while (!leave);
}

__global__ void exchange(State *s) {
	int done = 0;
	while (done == 0) {
		if (atomicExch(&s->lock[0], 1) == 0) {
			bump(&s->count[0]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
			done = 1;
		}
	}
}

__global__ void forLanes(State *s) {
	for (int i = 0; i < 32; i++) {
		if (i == threadIdx.x % 32) {
			while (atomicCAS(&s->lock[0], 0, 1) != 0) {}
			bump(&s->count[0]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
		}
	}
}

__global__ void perBucket(State *s) {
	int b = threadIdx.x % buckets;
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[b], 0, 1) == 0) {
			bump(&s->count[b]);
			__threadfence();
			atomicExch(&s->lock[b], 0);
			done = true;
		}
	}
}

__global__ void manyBuckets(State *s) {
	for (int i = 0; i < 4; i++) {
		int b = (threadIdx.x + i) % buckets;
		bool blocked = true;
		while (blocked) {
			if (0 == atomicCAS(&s->lock[b], 0, 1)) {
				bump(&s->count[b]);
				__threadfence();
				atomicExch(&s->lock[b], 0);
				blocked = false;
			}
		}
	}
}

__global__ void tryLock(State *s) {
	int left = 3;
	while (left > 0) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			bump(&s->count[0]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
			left--;
		}
	}
}

__global__ void ticketLoop(State *s) {
	int mine = atomicAdd(&s->ticket, 1);
	bool done = false;
	while (!done) {
		if (atomicAdd(&s->turn, 0) == mine) {
			bump(&s->count[0]);
			__threadfence();
			atomicAdd(&s->turn, 1);
			done = true;
		}
	}
}

__global__ void ticketVolatile(State *s) {
	int mine = atomicAdd(&s->ticket, 1);
	volatile int *turn = &s->turn;
	bool done = false;
	while (!done) {
		if (*turn == mine) {
			bump(&s->count[0]);
			__threadfence();
			*turn = mine + 1;
			done = true;
		}
	}
}

struct Lock {
	int *mutex;
	__device__ Lock(int *m) : mutex(m) {}
	__device__ void lock() { while (atomicCAS(mutex, 0, 1) != 0) {} }
	__device__ bool tryLock() { return atomicCAS(mutex, 0, 1) == 0; }
	__device__ void unlock() { atomicExch(mutex, 0); }
};

__global__ void onePerBlock(State *s) {
	__shared__ int sum;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	atomicAdd(&sum, 1);
	__syncthreads();
	Lock l(&s->lock[0]);
	if (threadIdx.x == 0) {
		l.lock();
		volatile int *v = s->count;
		*v = *v + sum;
		__threadfence();
		l.unlock();
	}
}

__global__ void structTry(State *s) {
	Lock l(&s->lock[0]);
	bool done = false;
	while (!done) {
		if (l.tryLock()) {
			bump(&s->count[0]);
			__threadfence();
			l.unlock();
			done = true;
		}
	}
}

// The hash table of CUDA by Example: every lane of the warp has its turn.
__global__ void hashTable(State *s) {
	int tid = threadIdx.x + blockIdx.x * blockDim.x, b = tid % buckets;
	for (int i = 0; i < 32; i++) {
		if (tid % 32 == i) {
			Node *n = &s->pool[tid];
			n->key = tid;
			Lock l(&s->lock[b]);
			l.lock();
			n->next = *(Node *volatile *)&s->head[b];
			*(Node *volatile *)&s->head[b] = n;
			__threadfence();
			l.unlock();
		}
	}
}

__global__ void listLocked(State *s) {
	int tid = threadIdx.x + blockIdx.x * blockDim.x, b = tid % buckets;
	Node *n = &s->pool[tid];
	n->key = tid;
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[b], 0, 1) == 0) {
			n->next = *(Node *volatile *)&s->head[b];
			*(Node *volatile *)&s->head[b] = n;
			__threadfence();
			atomicExch(&s->lock[b], 0);
			done = true;
		}
	}
}

__global__ void listFree(State *s) {
	int tid = threadIdx.x + blockIdx.x * blockDim.x, b = tid % buckets;
	Node *n = &s->pool[tid];
	n->key = tid;
	volatile unsigned long long *first = (unsigned long long *)&s->head[b];
	unsigned long long *head = (unsigned long long *)first, old, seen = *first;
	do {
		old = seen;
		n->next = (Node *)old;
		__threadfence();
		seen = atomicCAS(head, old, (unsigned long long)n);
	} while (seen != old);
}

__global__ void sortedInsert(State *s) {
	int tid = threadIdx.x + blockIdx.x * blockDim.x;
	Node *n = &s->pool[tid];
	n->key = (tid * 7) % everyone;
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			Node *volatile *at = &s->head[0];
			while (*at && ((volatile Node *)*at)->key < n->key)
				at = (Node *volatile *)&(*at)->next;
			*(Node *volatile *)&n->next = *at;
			__threadfence();
			*at = n;
			__threadfence();
			atomicExch(&s->lock[0], 0);
			done = true;
		}
	}
}

__global__ void nested(State *s) {
	int a = threadIdx.x % buckets, b = (threadIdx.x + 1) % buckets;
	if (a > b) { int t = a; a = b; b = t; }
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[a], 0, 1) == 0) {
			if (atomicCAS(&s->lock[b], 0, 1) == 0) {
				bump(&s->count[a]);
				bump(&s->count[b]);
				__threadfence();
				atomicExch(&s->lock[b], 0);
				done = true;
			}
			atomicExch(&s->lock[a], 0);
		}
	}
}

__global__ void nestedLoops(State *s) {
	bool outer = false;
	while (!outer) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			bool inner = false;
			while (!inner) {
				if (atomicCAS(&s->lock[1], 0, 1) == 0) {
					bump(&s->count[0]);
					__threadfence();
					atomicExch(&s->lock[1], 0);
					inner = true;
				}
			}
			atomicExch(&s->lock[0], 0);
			outer = true;
		}
	}
}

__global__ void inShared(State *s) {
	__shared__ int lock, count;
	if (threadIdx.x == 0) lock = count = 0;
	__syncthreads();
	bool done = false;
	while (!done) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			bump(&count);
			__threadfence_block();
			atomicExch(&lock, 0);
			done = true;
		}
	}
	__syncthreads();
	if (threadIdx.x == 0) atomicAdd(&s->count[0], count);
}

// The section computes what comes after the loop.
__global__ void carried(State *s) {
	int mine = -1;
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			volatile int *v = s->count;
			mine = *v;
			*v = mine + 1;
			__threadfence();
			atomicExch(&s->lock[0], 0);
			done = true;
		}
	}
	s->pool[mine].key = mine;
}

__global__ void divergentSection(State *s) {
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			if (threadIdx.x & 1) bump(&s->count[0]);
			else for (int i = 0; i < int(threadIdx.x % 3); i++) bump(&s->count[1]);
			bump(&s->count[2]);
			__threadfence();
			atomicExch(&s->lock[0], 0);
			done = true;
		}
	}
}

__global__ void minimum(State *s) {
	int value = 1000 - (threadIdx.x + blockIdx.x * blockDim.x);
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock[0], 0, 1) == 0) {
			volatile int *best = &s->count[0];
			if (*best == 0 || value < *best) *best = value;
			__threadfence();
			atomicExch(&s->lock[0], 0);
			done = true;
		}
	}
}

__global__ void releaseByStore(State *s) {
	bool done = false;
	while (!done) {
		if (atomicExch(&s->lock[0], 1) == 0) {
			s->count[0] += 1;
			__threadfence();
			*(volatile int *)&s->lock[0] = 0;
			done = true;
		}
	}
}

__global__ void addDouble(State *s) {
	double *d = (double *)&s->pool[0];
	unsigned long long *at = (unsigned long long *)d, old = *at, seen;
	do {
		seen = old;
		double sum = __longlong_as_double(seen) + 1;
		old = atomicCAS(at, seen, (unsigned long long)__double_as_longlong(sum));
	} while (seen != old);
	__syncthreads();
	if (threadIdx.x == 0) atomicAdd(&s->count[0], threads);
}

State h;

int length(int b) {
	int n = 0;
	for (Node *at = h.head[b]; at; n++) {
		Node copy;
		cudaMemcpy(&copy, at, sizeof copy, cudaMemcpyDeviceToHost);
		at = copy.next;
	}
	return n;
}

bool once() { return h.count[0] == everyone; }
bool thrice() { return h.count[0] == 3 * everyone; }
bool sums(int want) {
	int n = 0;
	for (int b = 0; b < buckets; b++) n += h.count[b];
	return n == want;
}
bool one() { return sums(everyone); }
bool four() { return sums(4 * everyone); }
bool two() { return sums(2 * everyone); }
bool listed() {
	int n = 0;
	for (int b = 0; b < buckets; b++) n += length(b);
	return n == everyone;
}
bool sorted() {
	int n = 0;
	for (Node *at = h.head[0]; at; n++) {
		Node copy;
		cudaMemcpy(&copy, at, sizeof copy, cudaMemcpyDeviceToHost);
		if (copy.key != n) return false;
		at = copy.next;
	}
	return n == everyone;
}
bool kept() {
	for (int i = 0; i < everyone; i++) if (h.pool[i].key != i) return false;
	return once();
}
bool parted() {
	int n = 0;
	for (int i = 0; i < threads; i += 2) n += i % 3;
	return h.count[0] == everyone / 2 && h.count[1] == n * blocks && h.count[2] == everyone;
}
bool least() { return h.count[0] == 1000 - (everyone - 1); }

#include "idioms.h"

Idiom idioms[] = {
	IDIOM(whileFlag, once), IDIOM(whileFlagUnfenced, once), IDIOM(loopBreak, once),
	IDIOM(loopContinue, once), IDIOM(loopReturn, once), IDIOM(doWhile, once),
	IDIOM(doWhileVolatile, once), IDIOM(exchange, once), IDIOM(forLanes, once),
	IDIOM(perBucket, one), IDIOM(manyBuckets, four), IDIOM(tryLock, thrice),
	IDIOM(ticketLoop, once), IDIOM(ticketVolatile, once), IDIOM(onePerBlock, once),
	IDIOM(structTry, once), IDIOM(hashTable, listed), IDIOM(listLocked, listed),
	IDIOM(listFree, listed), IDIOM(sortedInsert, sorted), IDIOM(nested, two),
	IDIOM(nestedLoops, once), IDIOM(inShared, once), IDIOM(carried, kept),
	IDIOM(divergentSection, parted), IDIOM(minimum, least), IDIOM(releaseByStore, once),
	IDIOM(addDouble, once),
};

int main(int argc, char **argv) { return run(idioms, argc, argv); }
