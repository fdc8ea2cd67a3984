// A kernel with variables of many types, for what the debugger shows of them.

struct point { short x, y; };
struct node { int value; float weight[2]; point at; const node *next; unsigned low : 3, high : 5; };
enum color { red, green = 5, blue };

__device__ int total = 7;
__constant__ float factor[4] = {1, 2.5f, 3, 4};

__device__ __forceinline__ int twice(int v)
{
    int doubled = v * 2;
    return doubled;
}

__device__ void grow(node &n, float by)
{
    n.weight[1] += by;
    n.value = twice(n.value);
}

__global__ void names(int *out, color c, char letter, node first)
{
    __shared__ int tile[32];
    float row[2][3];
    int t = threadIdx.x;
    bool odd = t & 1;
    int *p = &tile[t];
    tile[t] = 10 * t;
    for (int i = 0; i < 3; i++) {
        row[t & 1][i] = i * factor[i];
    }
    char word[4] = {'h', 'i', 0, 0};
    node copy = first;
    copy.next = &first;
    grow(copy, row[t & 1][1]);
    __syncthreads();
    out[t] = *p + copy.value + odd + c + letter + word[0];
    atomicAdd(&total, copy.at.x);
}
