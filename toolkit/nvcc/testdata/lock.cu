__global__ void k(int *lock, int *count) {
	while (true) {
		if (atomicCAS(lock, 0, 1) == 0) {
			*count += 1;
			atomicExch(lock, 0);
			break;
		}
	}
}
