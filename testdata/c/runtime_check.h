/* Shared by the test programs of the runtime library: calls that must return a given code, and device
   code that is registered as a compiler's code registers it. */
#ifndef RUNTIME_CHECK_H
#define RUNTIME_CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"

#define CUDA_SUCCESS cudaSuccess
#include "check.h"

/* FAILS wants a call to answer an error, and to have left it as the last one. */
#define FAILS(error, call) (EXPECT(error, call), EXPECT(error, cudaGetLastError()), EXPECT(cudaSuccess, cudaGetLastError()))

/* The name of a pointer parameter's type. Addresses are 32 bits wide on the device: kernels read the
   low half. */
#if UINTPTR_MAX > 0xffffffff
#define POINTER "u64"
#else
#define POINTER "u32"
#endif

/* INDEX puts the number of the thread among all threads of a grid of one dimension into %r0, and
   4 times that into %r1. */
#define INDEX \
	"	cvt.u32.u16 %r0, %ctaid.x;\n" \
	"	cvt.u32.u16 %r1, %ntid.x;\n" \
	"	cvt.u32.u16 %r2, %tid.x;\n" \
	"	mad.lo.u32 %r0, %r0, %r1, %r2;\n" \
	"	shl.b32 %r1, %r0, 2;\n"

#define REGISTERS ".reg .u32 %r<16>; .reg .u64 %d<4>; .reg .f32 %f<12>; .reg .f64 %e<4>;\n"

#pragma GCC diagnostic ignored "-Woverlength-strings" /* C99 wants no more than 4,095 bytes to work */

static const char kernels[] =
	".version 1.4\n"
	".target sm_10\n"
	".global .u32 counter[4] = {10, 20, 30, 40};\n"
	".const .u32 table[64] = {1, 2, 3};\n"
	".tex .u32 line;\n"
	".tex .u32 image;\n"
	/* fill: out[i] = value + i */
	".entry fill (.param ." POINTER " out, .param .u32 value) {\n" REGISTERS INDEX
	"	ld.param.u32 %r3, [out];\n"
	"	ld.param.u32 %r4, [value];\n"
	"	add.u32 %r3, %r3, %r1;\n"
	"	add.u32 %r4, %r4, %r0;\n"
	"	st.global.u32 [%r3], %r4;\n"
	"	exit;\n}\n"
	/* bump: counter[0] += 1 */
	".entry bump () {\n" REGISTERS
	"	mov.u32 %r0, counter;\n"
	"	ld.global.u32 %r1, [%r0];\n"
	"	add.u32 %r1, %r1, 1;\n"
	"	st.global.u32 [%r0], %r1;\n"
	"	exit;\n}\n"
	/* look: out[i] = table[i] + counter[i & 3] */
	".entry look (.param ." POINTER " out) {\n" REGISTERS INDEX
	"	mov.u32 %r3, table;\n"
	"	add.u32 %r3, %r3, %r1;\n"
	"	ld.const.u32 %r4, [%r3];\n"
	"	and.b32 %r5, %r1, 12;\n"
	"	mov.u32 %r3, counter;\n"
	"	add.u32 %r3, %r3, %r5;\n"
	"	ld.global.u32 %r5, [%r3];\n"
	"	add.u32 %r4, %r4, %r5;\n"
	"	ld.param.u32 %r3, [out];\n"
	"	add.u32 %r3, %r3, %r1;\n"
	"	st.global.u32 [%r3], %r4;\n"
	"	exit;\n}\n"
	/* mixed: out[0..3] = a byte, a half, a word and the words of a double word */
	".entry mixed (.param ." POINTER " out, .param .u8 b, .param .u16 h, .param .u32 w, .param .u64 d) {\n" REGISTERS
	"	.reg .u16 %h<2>;\n"
	"	ld.param.u32 %r3, [out];\n"
	"	ld.param.u8 %r4, [b];\n"
	"	st.global.u32 [%r3], %r4;\n"
	"	ld.param.u16 %h0, [h];\n"
	"	cvt.u32.u16 %r4, %h0;\n"
	"	st.global.u32 [%r3+4], %r4;\n"
	"	ld.param.u32 %r4, [w];\n"
	"	st.global.u32 [%r3+8], %r4;\n"
	"	ld.param.u32 %r4, [d];\n"
	"	st.global.u32 [%r3+12], %r4;\n"
	"	ld.param.u32 %r4, [d+4];\n"
	"	st.global.u32 [%r3+16], %r4;\n"
	"	exit;\n}\n"
	/* turn: out[i] = the i-th last of the block's values, through dynamic shared memory */
	".extern .shared .u32 room[];\n"
	".entry turn (.param ." POINTER " out) {\n" REGISTERS INDEX
	"	ld.param.u32 %r3, [out];\n"
	"	add.u32 %r3, %r3, %r1;\n"
	"	ld.global.u32 %r4, [%r3];\n"
	"	mov.u32 %r5, room;\n"
	"	shl.b32 %r2, %r2, 2;\n"
	"	add.u32 %r6, %r5, %r2;\n"
	"	st.shared.u32 [%r6], %r4;\n"
	"	bar.sync 0;\n"
	"	cvt.u32.u16 %r6, %ntid.x;\n"
	"	sub.u32 %r6, %r6, 1;\n"
	"	shl.b32 %r6, %r6, 2;\n"
	"	sub.u32 %r6, %r6, %r2;\n"
	"	add.u32 %r6, %r5, %r6;\n"
	"	ld.shared.u32 %r4, [%r6];\n"
	"	st.global.u32 [%r3], %r4;\n"
	"	exit;\n}\n"
	/* fetch: out[i] = line[i + offset] */
	".entry fetch (.param ." POINTER " out, .param .u32 offset) {\n" REGISTERS INDEX
	"	ld.param.u32 %r3, [out];\n"
	"	add.u32 %r3, %r3, %r1;\n"
	"	ld.param.u32 %r4, [offset];\n"
	"	add.u32 %r4, %r4, %r0;\n"
	"	tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [line, {%r4, %r4, %r4, %r4}];\n"
	"	st.global.f32 [%r3], %f0;\n"
	"	exit;\n}\n"
	/* fetch_word: the same of integers */
	".entry fetch_word (.param ." POINTER " out, .param .u32 offset) {\n" REGISTERS INDEX
	"	ld.param.u32 %r3, [out];\n"
	"	add.u32 %r3, %r3, %r1;\n"
	"	ld.param.u32 %r4, [offset];\n"
	"	add.u32 %r4, %r4, %r0;\n"
	"	tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [line, {%r4, %r4, %r4, %r4}];\n"
	"	st.global.u32 [%r3], %r5;\n"
	"	exit;\n}\n"
	/* sample: out[i] = image(x + i * dx, y + i * dy) */
	".entry sample (.param ." POINTER " out, .param .f32 x, .param .f32 y, .param .f32 dx, .param .f32 dy) {\n" REGISTERS INDEX
	"	ld.param.u32 %r3, [out];\n"
	"	add.u32 %r3, %r3, %r1;\n"
	"	cvt.rn.f32.u32 %f4, %r0;\n"
	"	ld.param.f32 %f5, [x];\n"
	"	ld.param.f32 %f6, [y];\n"
	"	ld.param.f32 %f7, [dx];\n"
	"	ld.param.f32 %f8, [dy];\n"
	"	mad.f32 %f5, %f4, %f7, %f5;\n"
	"	mad.f32 %f6, %f4, %f8, %f6;\n"
	"	tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [image, {%f5, %f6, %f6, %f6}];\n"
	"	st.global.f32 [%r3], %f0;\n"
	"	exit;\n}\n"
	/* wild: writes to an address that nothing has */
	".entry wild () {\n" REGISTERS
	"	mov.u32 %r0, 0xfffffff0;\n"
	"	st.global.u32 [%r0], %r0;\n"
	"	exit;\n}\n";

/* What stands for kernels, variables and textures in the program. */
static char fill, bump, look, mixed, turn, fetch, fetch_word, sample, wild;
static char counter, table;
static struct textureReference line, image;

/* What compilers hold PTX in: the structure of releases 1 to 3, the flat fat binary of later ones with
   its wrapper, or (the driver takes that, too) nothing but the wrapper. The program chooses one. */
enum container { STRUCTURE, FLAT, BARE };

#ifndef CONTAINER
#define CONTAINER (CUDART_VERSION < 4000 ? STRUCTURE : FLAT)
#endif

struct code {
	union {
		struct {
			uintptr_t magic, version, gpu;
			const char *key, *file, *options;
			const void *const *ptx, *const *cubins, *const *debug;
			const void *more[5];
		} structure;
		struct {
			uint32_t magic, version;
			const void *code;
			void *unused;
		} wrapper;
	} u;
	const void *profiles[4], *none[2];
	struct {
		uint32_t magic;
		uint16_t version, header;
		uint64_t size;
		uint16_t kind, entry_version;
		uint32_t entry_header;
		uint64_t entry_size;
		uint32_t compressed, options, ptx_version, arch, file, file_size;
		uint64_t flags, unused, no_options;
		char file_name[16], text[8192];
	} flat;
};

/* register_code registers PTX, with code as the room for its container. */
static inline void **register_code(struct code *code, const char *ptx)
{
	memset(code, 0, sizeof *code);
	if (CONTAINER == STRUCTURE) {
		code->u.structure.magic = 0x1ee55a01;
		code->u.structure.version = 3;
		code->u.structure.gpu = 0x2e00b786;
		code->u.structure.key = "0123456789abcdef";
		code->u.structure.file = "kernels.cu";
		code->u.structure.options = " ";
		code->profiles[0] = "compute_10";
		code->profiles[1] = ptx;
		code->u.structure.ptx = code->profiles;
		code->u.structure.cubins = code->u.structure.debug = code->none;
		return __cudaRegisterFatBinary(code);
	}
	code->u.wrapper.magic = 0x466243b1;
	code->u.wrapper.version = 1;
	code->u.wrapper.code = CONTAINER == BARE ? (const void *)ptx : &code->flat;
	code->flat.magic = 0xba55ed50;
	code->flat.version = 1;
	code->flat.header = 16;
	code->flat.kind = 1; /* PTX */
	code->flat.entry_version = 0x100; /* of release 4 */
	code->flat.entry_header = offsetof(struct code, flat.text) - offsetof(struct code, flat.kind);
	code->flat.entry_size = (strlen(ptx) + 8) & ~(uint64_t)7;
	code->flat.size = code->flat.entry_header + code->flat.entry_size;
	code->flat.arch = 10;
	code->flat.options = 0x38;
	code->flat.ptx_version = 1 << 16 | 4;
	code->flat.file = 0x40;
	code->flat.file_size = 10;
	strcpy(code->flat.file_name, "kernels.cu");
	code->flat.flags = 0x15; /* made on Linux, for CUDA, by a 64-bit compiler */
	strcpy(code->flat.text, ptx);
	return __cudaRegisterFatBinary(code);
}

static void register_kernel(void **handle, char *host, const char *name)
{
	__cudaRegisterFunction(handle, host, (char *)name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

/* register_all registers all of kernels. */
static inline void **register_all(struct code *code)
{
	void **handle = register_code(code, kernels);

	register_kernel(handle, &fill, "fill");
	register_kernel(handle, &bump, "bump");
	register_kernel(handle, &look, "look");
	register_kernel(handle, &mixed, "mixed");
	register_kernel(handle, &turn, "turn");
	register_kernel(handle, &fetch, "fetch");
	register_kernel(handle, &fetch_word, "fetch_word");
	register_kernel(handle, &sample, "sample");
	register_kernel(handle, &wild, "wild");
	__cudaRegisterVar(handle, &counter, (char *)"counter", "counter", 0, 16, 0, 0);
	__cudaRegisterVar(handle, &table, (char *)"table", "table", 0, 256, 1, 0);
	__cudaRegisterTexture(handle, &line, (const void **)"line", "line", 1, 0, 0);
	__cudaRegisterTexture(handle, &image, (const void **)"image", "image", 2, 0, 0);
#if CUDART_VERSION >= 10000
	__cudaRegisterFatBinaryEnd(handle);
#endif
	return handle;
}

static struct code own_code;
static void **own_handle;

/* The program's own code is registered before main, and unregistered after it. */
__attribute__((constructor)) static void begin(void) { own_handle = register_all(&own_code); }
__attribute__((destructor)) static void end(void) { __cudaUnregisterFatBinary(own_handle); }

static inline dim3 shape(unsigned x, unsigned y, unsigned z)
{
	dim3 d;

	d.x = x;
	d.y = y;
	d.z = z;
	return d;
}

/* launch_fill runs fill with the calls of release 2. */
static inline cudaError_t launch_fill(void *out, unsigned value, unsigned blocks, unsigned threads, cudaStream_t stream)
{
	cudaError_t error = cudaConfigureCall(shape(blocks, 1, 1), shape(threads, 1, 1), 0, stream);

	if (error == cudaSuccess)
		error = cudaSetupArgument(&out, sizeof out, 0);
	if (error == cudaSuccess)
		error = cudaSetupArgument(&value, 4, sizeof out);
	return error != cudaSuccess ? error : cudaLaunch(&fill);
}

/* launch_bump adds 1 to counter[0]. */
static inline cudaError_t launch_bump(void)
{
	cudaError_t error = cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0);

	return error != cudaSuccess ? error : cudaLaunch(&bump);
}

/* synchronize waits by the name that each release has. */
static inline cudaError_t synchronize(void)
{
#if CUDART_VERSION >= 4000
	return cudaDeviceSynchronize();
#else
	return cudaThreadSynchronize();
#endif
}

/* leave ends the context, or the device's. */
static inline cudaError_t leave(void)
{
#if CUDART_VERSION >= 4000
	return cudaDeviceReset();
#else
	return cudaThreadExit();
#endif
}

#endif
