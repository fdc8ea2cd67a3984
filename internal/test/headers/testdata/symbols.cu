// Variables of the device and kernels, given to the runtime in every way that programs use.
#include "check.h"

__constant__ float table[4];
__device__ int counter = 40;
__device__ int2 pair;
__constant__ char text[8];
__device__ const char *pointer = 0;
static __device__ int hidden = 50;

__global__ void read(float *out, int *whole) {
	out[threadIdx.x] = table[threadIdx.x] * 2;
	whole[0] = counter + pair.y;
	whole[1] = text[2];
	whole[2] = hidden;
	whole[3] = pointer == (const char *)out;
	counter++;
}

// The name of a variable in a pointer, of any type, or a variable that is a pointer itself.
void testNames() {
	char array[] = "counter", *name = array;
	const char *const names[] = {"pair", "nothing"};
	int seen = 0, nine = 9;
	const char *back = "";
	size_t size;
	cudaGetLastError();
	succeed(cudaMemcpyToSymbolAsync("counter", &nine, 4, 0, cudaMemcpyHostToDevice));
	succeed(cudaMemcpyFromSymbolAsync(&seen, name, 4, 0, cudaMemcpyDeviceToHost));
	succeed(cudaDeviceSynchronize());
	same(9, seen);
	succeed(cudaMemcpyToSymbolAsync(names[0], &nine, 4, 4, cudaMemcpyHostToDevice, 0));
	succeed(cudaMemcpyFromSymbol(&seen, array, 4));
	succeed(cudaMemcpyFromSymbol(&back, pointer, sizeof back));
	same(true, back != 0);
	succeed(cudaGetSymbolSize(&size, pointer));
	same(sizeof pointer, size);
	succeed(cudaGetSymbolSize(&size, "pointer"));
	same(sizeof pointer, size);
	succeed(cudaGetLastError()); // the way to a name leaves no error behind
	same(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, names[1]));
}

void testSymbols() {
	Shared<float> out(4);
	Shared<int> whole(4);
	float in[4] = {1, 2, 3, 4}, four = 44;
	int two = 2, seen = 0;
	cudaStream_t stream;
	succeed(cudaStreamCreate(&stream));
	succeed(cudaMemcpyToSymbol(table, in, sizeof in));
	succeed(cudaMemcpyToSymbol("table", &four, 4, 12));
	succeed(cudaMemcpyToSymbol("table", in + 3, 4, 4, cudaMemcpyHostToDevice));
	succeed(cudaMemcpyToSymbolAsync(pair, &two, 4, 4, cudaMemcpyHostToDevice, stream));
	succeed(cudaStreamSynchronize(stream));
	succeed(cudaMemcpyToSymbol(text, "CUDA", 5));
	succeed(cudaMemcpyToSymbol(pointer, &out.device, sizeof out.device));
	int hid;
	succeed(cudaMemcpyFromSymbol(&hid, hidden, sizeof hid));
	hid++;
	succeed(cudaMemcpyToSymbol("hidden", &hid, sizeof hid));
	read<<<1, 4, 0, stream>>>(out.device, whole.device);
	finish();
	same(2.0f, out[0]);
	same(8.0f, out[1]);
	same(6.0f, out[2]);
	same(88.0f, out[3]);
	same(42, whole[0]);
	same('D', whole[1]);
	same(51, whole[2]);
	same(1, whole[3]);
	succeed(cudaMemcpyFromSymbol(&seen, counter, sizeof seen));
	same(41, seen);
	seen = 0;
	succeed(cudaMemcpyFromSymbol(&seen, "counter", sizeof seen));
	same(41, seen);
	succeed(cudaMemcpyFromSymbolAsync(&seen, pair, 4, 4, cudaMemcpyDeviceToHost, stream));
	succeed(cudaStreamDestroy(stream));
	same(2, seen);

	void *address, *named;
	size_t size;
	const char *name = "table";
	succeed(cudaGetSymbolAddress(&address, table));
	succeed(cudaGetSymbolAddress(&named, name));
	same(true, address == named);
	succeed(cudaGetSymbolSize(&size, pair));
	same(sizeof(int2), size);
	succeed(cudaGetSymbolSize(&size, "table"));
	same(sizeof in, size);
	same(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, "nothing"));
	testNames();
	cudaGetLastError();
}

__global__ void scale(int *out, int factor, short addend) {
	extern __shared__ int extra[];
	extra[threadIdx.x] = threadIdx.x * factor;
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = extra[blockDim.x - 1 - threadIdx.x] + addend;
}

template <class T>
__global__ void fill(T *out, T value) { out[threadIdx.x] = value; }

// The host chooses as the device does, by the version that it is told.
__global__ void architecture(int *out) {
#ifdef __CUDA_ARCH__
	*out = __CUDA_ARCH__ / 10;
#endif
}

void scaled(Shared<int> &out, int factor, int addend) {
	finish();
	for (int i = 0; i < 32; i++) {
		same((15 - i % 16) * factor + addend, out[i]);
		out[i] = 0;
	}
}

void testLaunches() {
	Shared<int> out(32);
	const int shared = 16 * sizeof(int);
	scale<<<2, 16, shared>>>(out.device, 3, -1);
	scaled(out, 3, -1);

	int factor = 5;
	short addend = 7;
	void *args[] = {&out.device, &factor, &addend};
	succeed(cudaLaunchKernel(scale, dim3(2), dim3(16), args, shared, 0));
	scaled(out, 5, 7);
	succeed(cudaLaunchKernel((const void *)scale, dim3(2), dim3(16), args, shared, 0));
	scaled(out, 5, 7);

	succeed(cudaConfigureCall(2, 16, shared));
	succeed(cudaSetupArgument(out.device, 0));
	succeed(cudaSetupArgument(9, 8));
	succeed(cudaSetupArgument((short)-2, 12));
	succeed(cudaLaunch(scale));
	scaled(out, 9, -2);

	fill<<<1, 32>>>(out.device, 6);
	finish();
	same(6, out[31]);
}

void testFunctions() {
	cudaFuncAttributes attributes;
	succeed(cudaFuncGetAttributes(&attributes, scale));
	same(true, attributes.numRegs > 0 && attributes.maxThreadsPerBlock > 0);
	Shared<int> version(1);
	architecture<<<1, 1>>>(version.device);
	finish();
	succeed(cudaFuncGetAttributes(&attributes, architecture));
	same(version[0], attributes.ptxVersion);
	same(true, attributes.binaryVersion >= 10 && attributes.binaryVersion <= 13);
	succeed(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferShared));
	succeed(cudaFuncSetCacheConfig(fill<float>, cudaFuncCachePreferL1));
	int blocks, size, grid;
	succeed(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 64, 4096));
	same(true, blocks > 0 && blocks <= 4);
	succeed(cudaOccupancyMaxPotentialBlockSize(&grid, &size, scale, 0, 100));
	same(true, size > 0 && size <= 100 && grid > 0);

	cudaEvent_t event;
	succeed(cudaEventCreate(&event, cudaEventDisableTiming));
	succeed(cudaEventRecord(event));
	succeed(cudaEventSynchronize(event));
	succeed(cudaEventDestroy(event));
	float *host;
	succeed(cudaMallocHost(&host, 64));
	succeed(cudaFreeHost(host));
	succeed(cudaMallocHost((void **)&host, 64, cudaHostAllocPortable));
	succeed(cudaFreeHost(host));
}

int main() {
	testSymbols();
	testLaunches();
	testFunctions();
	return verdict();
}
