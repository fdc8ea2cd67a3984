struct point { short x, y; };
struct shape { int kind; float weight[2]; struct point corner; const shape *next; unsigned low : 3, high : 5; };
enum color { red, green = 5, blue };
typedef unsigned int word;

__device__ int total = 7;
__constant__ float factor[4] = {1, 2.5f, 3, 4};

__device__ __forceinline__ int twice(int v)
{
    int doubled = v * 2;
    return doubled; // line 12
}

__device__ __noinline__ int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i]; // line 19
    return twice(s);
}

__device__ float far(shape by, float &result)
{
    by.weight[1] += 1;
    result = by.weight[0] * by.weight[1];
    return result; // line 27
}

extern "C" __global__ void kernel(int *out, shape by, color c, float4 vec, char letter, double d, point moved)
{
    __shared__ int tile[4];
    extern __shared__ float open[];
    int local[2][3];
    int t = threadIdx.x;
    tile[t] = twice(t + 10);
    word w = 3;
    bool yes = t > 0;
    int *ps = &tile[t];
    const float *pc = &factor[1];
    long long wide = -1LL << 40;
    open[t] = 0.5f;
    moved.x += 1;
    for (int i = 0; i < 3; i++) {
        int here = i * t;
        local[t & 1][i] = here + by.kind; // line 46
    }
    float4 v2 = vec;
    v2.x += by.weight[1];
    shape copy = by;
    copy.next = &by;
    __syncthreads();
    if (t == 1) { // line 53
        float t = far(copy, v2.y);
        out[1] = sum(local[1], 3) + (int)t; // line 55
    }
    out[0] = *ps + w + yes + (int)*pc + c + letter + (int)d + (int)wide; // line 57
    atomicAdd(&total, by.corner.y);
    total = (int)v2.x + moved.x + (int)open[0]; // line 59
}
