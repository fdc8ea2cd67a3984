// Moves bodies under their gravity. Every thread needs all bodies: a block copies them to shared
// memory, a tile at a time, and its threads read each tile together.
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

const int bodies = 256, tile = 64, steps = 6;
const float softening = 0.05f, duration = 0.1f;

// pull changes the speed of a body at a by the gravity of one at b, whose mass is b.w.
__host__ __device__ void pull(float3 &speed, float4 a, float4 b) {
	float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
	float square = x * x + y * y + z * z + softening * softening;
	float scale = b.w / (square * sqrtf(square)) * duration;
	speed = make_float3(speed.x + x * scale, speed.y + y * scale, speed.z + z * scale);
}

__host__ __device__ float4 moved(float4 place, float3 speed) {
	return make_float4(place.x + speed.x * duration, place.y + speed.y * duration,
	                   place.z + speed.z * duration, place.w);
}

// step moves all bodies. Others speed read the old places, so the new ones go elsewhere.
__global__ void step(const float4 *now, float4 *next, float3 *speeds) {
	__shared__ float4 others[tile];
	int i = blockIdx.x * tile + threadIdx.x;
	float3 speed = speeds[i];
	for (int first = 0; first < bodies; first += tile) {
		others[threadIdx.x] = now[first + threadIdx.x];
		__syncthreads();
		for (int k = 0; k < tile; k++) {
			pull(speed, now[i], others[k]); // one word for all lanes: no conflict
		}
		__syncthreads(); // nobody overwrites a tile that others speed read
	}
	next[i] = moved(now[i], speed);
	speeds[i] = speed;
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

int main() {
	float4 host[steps + 1][bodies], got[bodies], *places[2];
	float3 speed[bodies] = {}, *speeds; // all bodies rest
	for (int i = 0; i < bodies; i++) {
		host[0][i] = make_float4(i % 7, i % 11, i % 13, 1.0f / bodies);
	}
	check(cudaMalloc(&places[0], sizeof got), "cudaMalloc");
	check(cudaMalloc(&places[1], sizeof got), "cudaMalloc");
	check(cudaMalloc(&speeds, sizeof speed), "cudaMalloc");
	check(cudaMemcpy(speeds, speed, sizeof speed, cudaMemcpyHostToDevice), "copy of the speeds");
	check(cudaMemcpy(places[0], host[0], sizeof got, cudaMemcpyHostToDevice), "copy of the places");
	for (int s = 0; s < steps; s++) {
		step<<<bodies / tile, tile>>>(places[s % 2], places[(s + 1) % 2], speeds);
		for (int i = 0; i < bodies; i++) {
			for (int k = 0; k < bodies; k++) {
				pull(speed[i], host[s][i], host[s][k]);
			}
			host[s + 1][i] = moved(host[s][i], speed[i]);
		}
	}
	const float4 *last = places[steps % 2], *want = host[steps];
	check(cudaMemcpy(got, last, sizeof got, cudaMemcpyDeviceToHost), "copy of the places");
	float worst = 0;
	for (int i = 0; i < bodies; i++) {
		worst = fmaxf(worst, fabsf(got[i].x - want[i].x) + fabsf(got[i].y - want[i].y));
	}
	printf("largest difference from the host's places: %g\n", worst);
	printf(worst < 1e-5f ? "PASSED\n" : "FAILED\n");
	return worst >= 1e-5f;
}
