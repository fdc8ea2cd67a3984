texture<float, 1> samples;

__device__ int counted(int *where)
{
    return atomicAdd(where, 1); // calls 5
}

extern "C" __global__ void kernel(int *out, float *result)
{
    __shared__ int n;
    n = 0;
    __syncthreads();
    if (counted(&n) > 3) // calls 13
        out[1] = atomicMax(&out[0], 7); // calls 14
    result[threadIdx.x] = tex1Dfetch(samples, threadIdx.x) + // calls 15
        __fdividef(result[0], 3.0f); // calls 16
    __syncthreads();
    out[2] = n;
}
