// Blocks that wait for one another, and updates without locks. state[1] is the result.
#define KERNEL extern "C" __global__ void

// The first thread of a block takes a lock for its block. Want: the number of blocks.
KERNEL block_lock(int *state) {
	if (threadIdx.x == 0)
		while (atomicCAS(&state[0], 0, 1) != 0)
			;
	__syncthreads();
	if (threadIdx.x == 40)
		((volatile int *)state)[1] = ((volatile int *)state)[1] + 1;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		atomicExch(&state[0], 0);
}

KERNEL block_lock_exchange(int *state) {
	if (threadIdx.x == 0) {
		while (atomicExch(&state[0], 1))
			;
		((volatile int *)state)[1]++;
		__threadfence();
		((volatile int *)state)[0] = 0;
	}
}

KERNEL block_ticket(int *state) {
	if (threadIdx.x == 0) {
		int mine = atomicAdd(&state[0], 1);
		while (*(volatile int *)&state[2] != mine)
			;
		((volatile int *)state)[1]++;
		__threadfence();
		atomicAdd(&state[2], 1);
	}
}

// The last block adds what all blocks have stored. Want: threads in all.
KERNEL last_block(int *state) {
	__shared__ int sums[64];
	__shared__ bool last;
	sums[threadIdx.x] = 1;
	__syncthreads();
	for (int n = 32; n > 0; n /= 2) {
		if (threadIdx.x < n)
			sums[threadIdx.x] += sums[threadIdx.x + n];
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		((volatile int *)state)[8 + blockIdx.x] = sums[0];
		__threadfence();
		last = atomicInc((unsigned *)&state[0], gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int sum = 0;
		for (int i = 0; i < gridDim.x; i++)
			sum += ((volatile int *)state)[8 + i];
		state[1] = sum;
	}
}

// All blocks of a small grid wait for one another, three times. Want: 3 * blocks.
KERNEL grid_barrier(int *state) {
	for (int round = 1; round <= 3; round++) {
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			atomicAdd(&state[0], 1);
			while (*(volatile int *)&state[0] < round * gridDim.x)
				;
		}
		__syncthreads();
	}
	if (threadIdx.x == 0)
		atomicAdd(&state[1], *(volatile int *)&state[0] == 3 * gridDim.x ? 3 : 0);
}

// A block takes a tile, and looks back until a tile before it has a whole sum. Want: threads in all.
KERNEL look_back(int *state) {
	__shared__ int tile;
	if (threadIdx.x == 0)
		tile = atomicAdd(&state[0], 1);
	__syncthreads();
	if (threadIdx.x == 0) {
		volatile int *part = state + 32, *whole = state + 64, *flag = state + 96;
		part[tile] = blockDim.x;
		__threadfence();
		flag[tile] = 1;
		int sum = 0;
		for (int at = tile - 1; at >= 0;) {
			int f = flag[at];
			if (f == 2) {
				__threadfence();
				sum += whole[at];
				break;
			}
			if (f == 1) {
				__threadfence();
				sum += part[at--];
			}
		}
		whole[tile] = sum + blockDim.x;
		__threadfence();
		flag[tile] = 2;
		if (tile == gridDim.x - 1)
			state[1] = whole[tile];
	}
}

// The same by a warp: each lane looks at one tile.
KERNEL look_back_warp(int *state) {
	__shared__ int tile;
	if (threadIdx.x == 0)
		tile = atomicAdd(&state[0], 1);
	__syncthreads();
	volatile int *part = state + 32, *whole = state + 64, *flag = state + 96;
	if (threadIdx.x == 0) {
		part[tile] = blockDim.x;
		__threadfence();
		flag[tile] = 1;
	}
	if (threadIdx.x < 32) {
		int lane = threadIdx.x, sum = 0, at = tile - 1;
		bool found = at < 0;
		while (!found) {
			int f, mine = at - lane;
			do
				f = mine < 0 ? 2 : flag[mine];
			while (__any(f == 0));
			__threadfence();
			unsigned wholes = __ballot(f == 2);
			int last = wholes ? __ffs(wholes) - 1 : 31;
			int value = lane > last || mine < 0 ? 0 : f == 2 ? whole[mine] : part[mine];
			for (int i = 0; i < 32; i++) {
				__shared__ volatile int turn[32];
				turn[lane] = value;
				sum += turn[i];
			}
			found = wholes != 0;
			at -= 32;
		}
		if (lane == 0) {
			whole[tile] = sum + blockDim.x;
			__threadfence();
			flag[tile] = 2;
			if (tile == gridDim.x - 1)
				state[1] = whole[tile];
		}
	}
}

// A warp of a block waits for another one. Want: the number of blocks.
KERNEL warps_hand_over(int *state) {
	__shared__ volatile int flag, value;
	if (threadIdx.x == 0)
		flag = 0;
	__syncthreads();
	if (threadIdx.x < 32) {
		while (flag == 0)
			;
		if (threadIdx.x == 0)
			atomicAdd(&state[1], value);
	} else if (threadIdx.x == 32) {
		value = 1;
		__threadfence_block();
		flag = 1;
	}
}

// Floats are added by a compare and swap. Want: threads in all.
KERNEL float_add(int *state) {
	int old = state[3], seen;
	do {
		seen = old;
		old = atomicCAS(&state[3], seen, __float_as_int(__int_as_float(seen) + 1.0f));
	} while (old != seen);
	__threadfence();
	if (threadIdx.x == 0 && atomicAdd(&state[0], 1) == gridDim.x - 1)
		state[1] = 0;
	__syncthreads();
	if (atomicAdd(&state[2], 1) == gridDim.x * blockDim.x - 1)
		state[1] = (int)__int_as_float(*(volatile int *)&state[3]);
}

// Nodes go into a list without a lock. Want: threads in all.
KERNEL list_push(int *state) {
	int me = 1 + blockIdx.x * blockDim.x + threadIdx.x;
	volatile int *next = state + 256, *head = state + 3;
	int old;
	do {
		old = *head;
		next[me] = old;
		__threadfence();
	} while (atomicCAS(&state[3], old, me) != old);
	__threadfence();
	if (atomicAdd(&state[0], 1) == gridDim.x * blockDim.x - 1) {
		int n = 0;
		for (int at = *head; at != 0; at = next[at])
			n++;
		state[1] = n;
	}
}

// Keys go into a table by probing. Want: threads in all, as none is lost.
KERNEL table_insert(int *state) {
	int key = 1 + blockIdx.x * blockDim.x + threadIdx.x;
	for (int slot = key * 37 % 1024;; slot = (slot + 1) % 1024) {
		int old = atomicCAS(&state[256 + slot], 0, key);
		if (old == 0 || old == key) {
			atomicAdd(&state[1], 1);
			return;
		}
	}
}

// Items are taken until none is left. Want: 500.
KERNEL work_queue(int *state) {
	while (true) {
		int item = atomicAdd(&state[0], 1);
		if (item >= 500)
			break;
		atomicAdd(&state[1], 1);
	}
}

// The same by blocks, with the item in shared memory.
KERNEL work_queue_block(int *state) {
	__shared__ int item;
	while (true) {
		if (threadIdx.x == 0)
			item = atomicAdd(&state[0], 1);
		__syncthreads();
		if (item >= 500)
			return;
		if (threadIdx.x == item % 64)
			atomicAdd(&state[1], 1);
		__syncthreads();
	}
}

// Sets are joined by compare and swap; the roots are counted. Want: 1, as all are joined.
KERNEL union_find(int *state) {
	int *up = state + 256, me = threadIdx.x, n = blockDim.x;
	if (blockIdx.x > 0)
		return;
	up[me] = me;
	__syncthreads();
	int a = me, b = (me + 1) % n;
	while (true) {
		while (((volatile int *)up)[a] != a)
			a = ((volatile int *)up)[a];
		while (((volatile int *)up)[b] != b)
			b = ((volatile int *)up)[b];
		if (a == b)
			break;
		int high = max(a, b), low = min(a, b);
		if (atomicCAS(&up[high], high, low) == high)
			break;
	}
	__syncthreads();
	if (((volatile int *)up)[me] == me)
		atomicAdd(&state[1], 1);
}

// A thread that is first does what all others wait for. Want: threads in all.
KERNEL once(int *state) {
	if (atomicCAS(&state[0], 0, 1) == 0) {
		((volatile int *)state)[3] = 1;
		__threadfence();
		atomicExch(&state[0], 2);
	}
	while (*(volatile int *)&state[0] != 2)
		;
	atomicAdd(&state[1], ((volatile int *)state)[3]);
}

// Three threads at most are inside. Want: threads in all.
KERNEL semaphore(int *state) {
	bool done = false;
	while (!done) {
		if (atomicAdd(&state[0], 1) < 3) {
			if (atomicAdd(&state[2], 1) >= 3)
				atomicAdd(&state[1], 1000);
			atomicAdd(&state[1], 1);
			atomicSub(&state[2], 1);
			done = true;
		}
		atomicSub(&state[0], 1);
	}
}
