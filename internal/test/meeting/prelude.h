/* What the kernels of this file use. PLAIN: clang without the headers of a toolkit. */
#ifdef PLAIN
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __ffs(x) __builtin_ffs(x)
#define TID ((unsigned)__nvvm_read_ptx_sreg_tid_x())
#define __trap() __builtin_trap()
#define VOTE(name, how) static __device__ __forceinline__ unsigned name(int x) { unsigned r; \
	asm volatile("{ .reg .pred c, v; setp.ne.s32 c, %1, 0; " how " }" : "=r"(r) : "r"(x)); return r; }
VOTE(__all, "vote.all.pred v, c; selp.s32 %0, 1, 0, v;")
VOTE(__any, "vote.any.pred v, c; selp.s32 %0, 1, 0, v;")
VOTE(__ballot, "vote.ballot.b32 %0, c;")
#if __CUDA_ARCH__ >= 300
#define SHUFFLE(name, how, end) static __device__ __forceinline__ unsigned name(unsigned x, unsigned n) { unsigned r; \
	asm volatile("shfl." how ".b32 %0, %1, %2, " end ";" : "=r"(r) : "r"(x), "r"(n)); return r; }
SHUFFLE(__shfl, "idx", "31")
SHUFFLE(__shfl_up, "up", "0")
SHUFFLE(__shfl_down, "down", "31")
SHUFFLE(__shfl_xor, "bfly", "31")
#endif
static __device__ __forceinline__ unsigned __syncthreads_count(int x) { return __nvvm_bar0_popc(x); }
static __device__ __forceinline__ unsigned __syncthreads_and(int x) { return __nvvm_bar0_and(x) != 0; }
static __device__ __forceinline__ unsigned __syncthreads_or(int x) { return __nvvm_bar0_or(x) != 0; }
#else
#define TID threadIdx.x
#endif
#if !defined(PLAIN) && __CUDA_ARCH__ >= 300
#define SYNC(name) name##_sync
#define FULL 0xffffffffu,
#define MASK(m) m,
#else
#define SYNC(name) name
#define FULL
#define MASK(m)
#endif
static __device__ __forceinline__ unsigned UNI(int x) { unsigned r;
	asm volatile("{ .reg .pred c, v; setp.ne.s32 c, %1, 0; vote.uni.pred v, c; selp.s32 %0, 1, 0, v; }" : "=r"(r) : "r"(x)); return r; }
static __device__ __forceinline__ unsigned ACTIVE() { unsigned r; asm volatile("activemask.b32 %0;" : "=r"(r)); return r; }
