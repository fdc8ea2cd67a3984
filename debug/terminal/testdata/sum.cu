








int i = blockIdx.x * 64 + threadIdx.x;
int x = data[i];
part[threadIdx.x] = x;
__syncthreads();
for (int s = 32; s; s >>= 1) {
	if (threadIdx.x < s)
		part[threadIdx.x] += part[threadIdx.x + s];
	__syncthreads();
}
if (threadIdx.x == 0) data[256 + blockIdx.x] = part[0];
if (wrong & blockIdx.x) data[0] = *(int *)0;
return;

