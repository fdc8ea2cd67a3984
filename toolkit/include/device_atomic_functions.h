/*
 * device_atomic_functions.h: atomic operations on words of global and shared memory.
 *
 * Each returns the old value. Whatever the target lacks clang makes a loop of compare-and-swap.
 */
#ifndef __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__

#if defined(__cplusplus) && defined(__CUDA__)

#define __CUDA_ATOMIC(name, type, builtin, cast) \
	static __device__ __forceinline__ type atomic##name(type *address, type value) { \
		return (type)__nvvm_atom_##builtin((cast *)address, (cast)value); \
	}

/* Operations of which signed and unsigned integers have the same. */
#define __CUDA_ATOMIC_BITS(name, builtin) \
	__CUDA_ATOMIC(name, int, builtin##_gen_i, int) \
	__CUDA_ATOMIC(name, unsigned int, builtin##_gen_i, int) \
	__CUDA_ATOMIC(name, unsigned long long, builtin##_gen_ll, long long)

/* Operations that compare, so that signs matter. */
#define __CUDA_ATOMIC_ORDER(name, builtin) \
	__CUDA_ATOMIC(name, int, builtin##_gen_i, int) \
	__CUDA_ATOMIC(name, unsigned int, builtin##_gen_ui, unsigned int) \
	__CUDA_ATOMIC(name, long long, builtin##_gen_ll, long long) \
	__CUDA_ATOMIC(name, unsigned long long, builtin##_gen_ull, unsigned long long)

__CUDA_ATOMIC_BITS(Add, add)
__CUDA_ATOMIC_BITS(Exch, xchg)
__CUDA_ATOMIC_BITS(And, and)
__CUDA_ATOMIC_BITS(Or, or)
__CUDA_ATOMIC_BITS(Xor, xor)
__CUDA_ATOMIC_ORDER(Min, min)
__CUDA_ATOMIC_ORDER(Max, max)
__CUDA_ATOMIC(Add, float, add_gen_f, float)
__CUDA_ATOMIC(Inc, unsigned int, inc_gen_ui, unsigned int)
__CUDA_ATOMIC(Dec, unsigned int, dec_gen_ui, unsigned int)

#undef __CUDA_ATOMIC_ORDER
#undef __CUDA_ATOMIC_BITS
#undef __CUDA_ATOMIC

static __device__ __forceinline__ int atomicSub(int *address, int value) {
	return atomicAdd(address, (int)(0u - (unsigned int)value));
}

static __device__ __forceinline__ unsigned int atomicSub(unsigned int *address,
                                                         unsigned int value) {
	return atomicAdd(address, 0u - value);
}

static __device__ __forceinline__ float atomicExch(float *address, float value) {
	return __int_as_float(atomicExch((int *)address, __float_as_int(value)));
}

static __device__ __forceinline__ int atomicCAS(int *address, int compare, int value) {
	return __nvvm_atom_cas_gen_i(address, compare, value);
}

static __device__ __forceinline__ unsigned int atomicCAS(unsigned int *address,
                                                         unsigned int compare, unsigned int value) {
	return (unsigned int)atomicCAS((int *)address, (int)compare, (int)value);
}

static __device__ __forceinline__ unsigned long long
atomicCAS(unsigned long long *address, unsigned long long compare, unsigned long long value) {
	return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)address, (long long)compare,
	                                                  (long long)value);
}

/*
 * Before sm_60 CUDA had no atomicAdd of double, and programs define one of their own, which has
 * these parameters. They are allowed to: a function is preferred to this template.
 */
template <class Value>
static __device__ __forceinline__ double atomicAdd(double *address, Value value) {
	unsigned long long *bits = (unsigned long long *)address;
	unsigned long long old = *bits, seen;
	do {
		seen = old;
		double sum = __longlong_as_double((long long)seen) + (double)value;
		old = atomicCAS(bits, seen, (unsigned long long)__double_as_longlong(sum));
	} while (old != seen);
	return __longlong_as_double((long long)old);
}

#endif

#endif
