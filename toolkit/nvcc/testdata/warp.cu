__global__ void k(int *a) { a[threadIdx.x] = __shfl_sync(0xffffffff, a[threadIdx.x], 0); }
