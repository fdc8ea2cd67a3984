// Mutexes of single threads, in the forms of books and forums. Each thread adds one to a plain
// counter, state[1]; state[0] is the lock. Want: the number of threads.
#define KERNEL extern "C" __global__ void

// A flag ends the loop.
KERNEL lock_flag(int *state) {
	bool done = false;
	while (!done) {
		if (atomicCAS(&state[0], 0, 1) == 0) {
			state[1]++;
			atomicExch(&state[0], 0);
			done = true;
		}
	}
}

// The same with fences and a volatile counter.
KERNEL lock_flag_fence(int *state) {
	volatile int *counter = state + 1;
	bool done = false;
	while (!done) {
		if (atomicCAS(&state[0], 0, 1) == 0) {
			__threadfence();
			*counter = *counter + 1;
			__threadfence();
			atomicExch(&state[0], 0);
			done = true;
		}
	}
}

KERNEL lock_break(int *state) {
	while (true) {
		if (atomicCAS(&state[0], 0, 1) == 0) {
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
			break;
		}
	}
}

KERNEL lock_break_volatile(int *state) {
	volatile int *v = state;
	for (;;) {
		if (atomicExch(&state[0], 1) == 0) {
			v[1] = v[1] + 1;
			__threadfence();
			v[0] = 0;
			break;
		}
	}
}

KERNEL lock_do(int *state) {
	int busy;
	do {
		busy = atomicCAS(&state[0], 0, 1);
		if (!busy) {
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
		}
	} while (busy);
}

KERNEL lock_do_flag(int *state) {
	bool leave = false;
	do {
		if (leave = atomicCAS(&state[0], 0, 1) == 0) {
			state[1] += 1;
		}
		if (leave) {
			atomicExch(&state[0], 0);
		}
	} while (!leave);
}

__device__ void add(int *state) {
	while (true) {
		if (atomicCAS(&state[0], 0, 1) == 0) {
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
			return;
		}
	}
}

KERNEL lock_return(int *state) { add(state); }

KERNEL lock_for(int *state) {
	for (bool need = true; need;) {
		if (0 != atomicCAS(&state[0], 0, 1))
			continue;
		state[1]++;
		__threadfence();
		atomicExch(&state[0], 0);
		need = false;
	}
}

KERNEL lock_goto(int *state) {
again:
	if (atomicCAS(&state[0], 0, 1) == 0) {
		state[1]++;
		__threadfence();
		atomicExch(&state[0], 0);
	} else
		goto again;
}

// A lock in shared memory, and one add for the block.
KERNEL lock_shared(int *state) {
	__shared__ int lock, sum;
	if (threadIdx.x == 0)
		lock = sum = 0;
	__syncthreads();
	bool done = false;
	while (!done) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			*(volatile int *)&sum = *(volatile int *)&sum + 1;
			__threadfence_block();
			atomicExch(&lock, 0);
			done = true;
		}
	}
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(&state[1], sum);
}

// The section has a loop and a branch.
KERNEL lock_section(int *state) {
	bool done = false;
	while (!done) {
		if (atomicCAS(&state[0], 0, 1) == 0) {
			for (int i = 0; i < 4; i++)
				if ((threadIdx.x + i) % 4 == 0)
					state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
			done = true;
		}
	}
}

// Thousands of tries are counted and then given up, which does not come to pass.
KERNEL lock_tries(int *state) {
	for (int tries = 0; tries < 1000000; tries++) {
		if (atomicCAS(&state[0], 0, 1) == 0) {
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
			break;
		}
	}
}

struct Lock {
	int *mutex;
	__device__ bool tried() { return atomicCAS(mutex, 0, 1) == 0; }
	__device__ void unlock() {
		__threadfence();
		atomicExch(mutex, 0);
	}
};

KERNEL lock_struct(int *state) {
	Lock lock = {state};
	bool done = false;
	while (!done) {
		if (lock.tried()) {
			state[1]++;
			lock.unlock();
			done = true;
		}
	}
}

// One lane after the other takes the lock.
KERNEL lock_lanes(int *state) {
	for (int i = 0; i < 32; i++)
		if (threadIdx.x % 32 == i) {
			while (atomicCAS(&state[0], 0, 1) != 0)
				;
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
		}
}

// A thread has a ticket; its turn comes.
KERNEL lock_ticket(int *state) {
	volatile int *serving = state + 2;
	int mine = atomicAdd(&state[0], 1);
	bool done = false;
	while (!done) {
		if (*serving == mine) {
			state[1]++;
			__threadfence();
			*serving = mine + 1;
			done = true;
		}
	}
}

// Two locks in order, around a transfer that leaves the sum.
KERNEL lock_two(int *state) {
	int a = 8 + threadIdx.x % 5, b = 13 + threadIdx.x % 3;
	bool done = false;
	while (!done) {
		if (atomicCAS(&state[a], 0, 1) == 0) {
			if (atomicCAS(&state[b], 0, 1) == 0) {
				state[a + 16]--;
				state[b + 16]++;
				atomicAdd(&state[1], 1);
				__threadfence();
				atomicExch(&state[b], 0);
				done = true;
			}
			atomicExch(&state[a], 0);
		}
	}
}

// A lock for each bucket.
KERNEL lock_buckets(int *state) {
	int bucket = 8 + threadIdx.x * 7 % 11;
	bool done = false;
	while (!done) {
		if (atomicCAS(&state[bucket], 0, 1) == 0) {
			state[bucket + 16]++;
			__threadfence();
			atomicExch(&state[bucket], 0);
			done = true;
		}
	}
	atomicAdd(&state[1], 1);
}

// The thread is done in the middle of its work, and goes on with other work.
KERNEL lock_then_more(int *state) {
	int items = 3;
	while (items > 0) {
		if (atomicCAS(&state[0], 0, 1) == 0) {
			if (items == 2)
				state[1]++;
			items--;
			__threadfence();
			atomicExch(&state[0], 0);
		}
	}
	__syncthreads();
	state[32 + threadIdx.x % 32] = 1;
}

// All lanes go round until none is left.
KERNEL lock_any(int *state) {
	bool done = false;
	while (__any(!done)) {
		if (!done && atomicCAS(&state[0], 0, 1) == 0) {
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
			done = true;
		}
	}
}

// Only some threads need the lock; the others add otherwise.
KERNEL lock_some(int *state) {
	if (threadIdx.x % 3 == 1) {
		bool done = false;
		while (!done) {
			if (atomicCAS(&state[0], 0, 1) == 0) {
				((volatile int *)state)[2]++;
				__threadfence();
				atomicExch(&state[0], 0);
				done = true;
			}
		}
		__threadfence();
	}
	__syncthreads();
	atomicAdd(&state[1], 1);
}

// Those that fail count their tries, and wait longer from try to try.
KERNEL lock_backoff(int *state) {
	int wait = 1, tries = 0;
	bool done = false;
	while (!done) {
		tries++;
		if (atomicCAS(&state[0], 0, 1) == 0) {
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
			done = true;
		} else {
			for (volatile int i = 0; i < wait; i++)
				;
			wait = min(2 * wait, 64);
		}
	}
	atomicAdd(&state[3], tries);
}

// Each thread takes the lock twice, for half of an add.
KERNEL lock_twice(int *state) {
	for (int i = 0; i < 2; i++) {
		bool done = false;
		while (!done) {
			if (atomicCAS(&state[0], 0, 1) == 0) {
				if (i == 1)
					state[1]++;
				__threadfence();
				atomicExch(&state[0], 0);
				done = true;
			}
		}
	}
}

// The lock is one bit of a word that has the count, too.
KERNEL lock_bit(int *state) {
	bool done = false;
	while (!done) {
		if ((atomicOr(&state[0], 1) & 1) == 0) {
			state[1]++;
			__threadfence();
			atomicAnd(&state[0], ~1);
			done = true;
		}
	}
}

// The lowest lane of those that come adds for all of them.
KERNEL add_leader(int *state) {
	if (threadIdx.x % 5 != 2) {
		unsigned mask = __ballot(1);
		int leader = __ffs(mask) - 1;
		if (threadIdx.x % 32 == leader)
			atomicAdd(&state[1], __popc(mask));
	} else
		atomicAdd(&state[1], 1);
}

// A lane after the other is chosen by a vote, and adds without a lock of its own warp's lanes.
KERNEL lock_warp_by_warp(int *state) {
	bool mine = true;
	while (__any(mine)) {
		int chosen = __ffs(__ballot(mine)) - 1;
		if (threadIdx.x % 32 == chosen) {
			while (atomicCAS(&state[0], 0, 1) != 0)
				;
			state[1]++;
			__threadfence();
			atomicExch(&state[0], 0);
			mine = false;
		}
	}
}
