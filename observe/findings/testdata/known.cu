__global__ void shift(int *a) {
	__shared__ int s[32];
	s[threadIdx.x + 1] = a[threadIdx.x];
	a[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
	int *a;
	cudaMalloc(&a, 128);
	shift<<<1, 64>>>(a);
}
