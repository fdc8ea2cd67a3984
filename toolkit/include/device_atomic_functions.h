/*
 * device_atomic_functions.h: atomic operations on words of global and shared memory.
 *
 * Each operation returns the old value. For an operation that the target lacks, clang makes a loop
 * of compare-and-swap.
 */
#ifndef __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__

#if defined(__cplusplus) && defined(__CUDA__)

/*
 * All threads of the device see each operation. So an operation also serves the scope of a block,
 * and the scope of the system, which has no other threads that could see it.
 */
#define __CUDA_ATOMIC_SCOPES(name, type, parameters, ...) \
	static __device__ __forceinline__ type name##_block parameters { return name(__VA_ARGS__); } \
	static __device__ __forceinline__ type name##_system parameters { return name(__VA_ARGS__); }

#define __CUDA_ATOMIC_SCOPE(name, type) \
	__CUDA_ATOMIC_SCOPES(name, type, (type *__address, type __value), __address, __value)

#define __CUDA_ATOMIC(name, type, builtin, cast) \
	static __device__ __forceinline__ type name(type *__address, type __value) { \
		return (type)__nvvm_atom_##builtin((cast *)__address, (cast)__value); \
	} \
	__CUDA_ATOMIC_SCOPE(name, type)

/* Operations that are equal for signed and unsigned integers. */
#define __CUDA_ATOMIC_BITS(name, builtin) \
	__CUDA_ATOMIC(name, int, builtin##_gen_i, int) \
	__CUDA_ATOMIC(name, unsigned int, builtin##_gen_i, int) \
	__CUDA_ATOMIC(name, unsigned long long, builtin##_gen_ll, long long)

/* Operations with a comparison, which depend on signs. */
#define __CUDA_ATOMIC_ORDER(name, builtin) \
	__CUDA_ATOMIC(name, int, builtin##_gen_i, int) \
	__CUDA_ATOMIC(name, unsigned int, builtin##_gen_ui, unsigned int) \
	__CUDA_ATOMIC(name, long long, builtin##_gen_ll, long long) \
	__CUDA_ATOMIC(name, unsigned long long, builtin##_gen_ull, unsigned long long)

__CUDA_ATOMIC_BITS(atomicAdd, add)
__CUDA_ATOMIC_BITS(atomicExch, xchg)
__CUDA_ATOMIC_BITS(atomicAnd, and)
__CUDA_ATOMIC_BITS(atomicOr, or)
__CUDA_ATOMIC_BITS(atomicXor, xor)
__CUDA_ATOMIC_ORDER(atomicMin, min)
__CUDA_ATOMIC_ORDER(atomicMax, max)
__CUDA_ATOMIC(atomicAdd, float, add_gen_f, float)
__CUDA_ATOMIC(atomicInc, unsigned int, inc_gen_ui, unsigned int)
__CUDA_ATOMIC(atomicDec, unsigned int, dec_gen_ui, unsigned int)

#undef __CUDA_ATOMIC_ORDER
#undef __CUDA_ATOMIC_BITS
#undef __CUDA_ATOMIC

static __device__ __forceinline__ int atomicSub(int *__address, int __value) {
	return atomicAdd(__address, (int)(0u - (unsigned int)__value));
}

static __device__ __forceinline__ unsigned int atomicSub(unsigned int *__address,
                                                         unsigned int __value) {
	return atomicAdd(__address, 0u - __value);
}

static __device__ __forceinline__ float atomicExch(float *__address, float __value) {
	return __int_as_float(atomicExch((int *)__address, __float_as_int(__value)));
}

static __device__ __forceinline__ int atomicCAS(int *__address, int __compare, int __value) {
	return __nvvm_atom_cas_gen_i(__address, __compare, __value);
}

static __device__ __forceinline__ unsigned int atomicCAS(unsigned int *__address,
                                                         unsigned int __compare,
                                                         unsigned int __value) {
	return (unsigned int)atomicCAS((int *)__address, (int)__compare, (int)__value);
}

static __device__ __forceinline__ unsigned long long
atomicCAS(unsigned long long *__address, unsigned long long __compare,
          unsigned long long __value) {
	return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)__address, (long long)__compare,
	                                                  (long long)__value);
}

/*
 * Before sm_60 CUDA had no atomicAdd of double, and programs define their own, with these
 * parameters. A program may do so, because a function is preferred to this template.
 */
template <class __Value>
static __device__ __forceinline__ double atomicAdd(double *__address, __Value __value) {
	unsigned long long *__bits = (unsigned long long *)__address;
	unsigned long long __old = *__bits, __seen;
	do {
		__seen = __old;
		double __sum = __longlong_as_double((long long)__seen) + (double)__value;
		__old = atomicCAS(__bits, __seen, (unsigned long long)__double_as_longlong(__sum));
	} while (__old != __seen);
	return __longlong_as_double((long long)__old);
}

#define __CUDA_ATOMIC_CAS_SCOPE(type) \
	__CUDA_ATOMIC_SCOPES(atomicCAS, type, (type *__address, type __compare, type __value), \
	                     __address, __compare, __value)

__CUDA_ATOMIC_SCOPE(atomicSub, int)
__CUDA_ATOMIC_SCOPE(atomicSub, unsigned int)
__CUDA_ATOMIC_SCOPE(atomicExch, float)
__CUDA_ATOMIC_SCOPE(atomicAdd, double)
__CUDA_ATOMIC_CAS_SCOPE(int)
__CUDA_ATOMIC_CAS_SCOPE(unsigned int)
__CUDA_ATOMIC_CAS_SCOPE(unsigned long long)

#undef __CUDA_ATOMIC_CAS_SCOPE
#undef __CUDA_ATOMIC_SCOPE
#undef __CUDA_ATOMIC_SCOPES

#endif

#endif
