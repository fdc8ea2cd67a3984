/* Texture references: bindings of memory, rows and arrays, their offsets and modes. */
#include "runtime_check.h"

#define N 64

static float values[N * N], got[N];
static unsigned words[N];
static float *memory, *out;

static const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static const struct cudaChannelFormatDesc bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
static const struct cudaChannelFormatDesc bad = {32, 32, 32, 0, cudaChannelFormatKindFloat};

static void run_fetch(const char *kernel, unsigned offset, void *to)
{
	OK(cudaConfigureCall(shape(1, 1, 1), shape(32, 1, 1), 0, 0));
	OK(cudaSetupArgument(&out, sizeof out, 0));
	OK(cudaSetupArgument(&offset, 4, sizeof out));
	OK(cudaLaunch(kernel));
	OK(cudaMemcpy(to, out, 128, cudaMemcpyDeviceToHost));
}

static void run_sample(float x, float y, float dx, float dy)
{
	float numbers[4];

	numbers[0] = x, numbers[1] = y, numbers[2] = dx, numbers[3] = dy;
	OK(cudaConfigureCall(shape(1, 1, 1), shape(8, 1, 1), 0, 0));
	OK(cudaSetupArgument(&out, sizeof out, 0));
	OK(cudaSetupArgument(numbers, sizeof numbers, sizeof out));
	OK(cudaLaunch(&sample));
	OK(cudaMemcpy(got, out, 32, cudaMemcpyDeviceToHost));
}

static void linear(void)
{
	size_t offset = 77;
	int i;

	OK(cudaBindTexture(&offset, &line, memory, &floats, N * 4));
	REQUIRE(offset == 0);
	run_fetch(&fetch, 0, got);
	for (i = 0; i < 32; i++)
		REQUIRE(got[i] == values[i]);
	run_fetch(&fetch, 40, got);
	for (i = 0; i < 32; i++)
		REQUIRE(got[i] == (i < 24 ? values[40 + i] : 0)); /* zeros lie behind the end */

	/* A binding whose address is not aligned answers an offset. */
	OK(cudaBindTexture(&offset, &line, memory + 3, &floats, N * 4));
	REQUIRE(offset == 12);
	run_fetch(&fetch, 3, got);
	REQUIRE(got[0] == values[3] && got[31] == values[34]);
	offset = 0;
	OK(cudaGetTextureAlignmentOffset(&offset, &line));
	REQUIRE(offset == 12);
	FAILS(cudaErrorInvalidValue, cudaBindTexture(NULL, &line, memory + 3, &floats, N * 4));
	OK(cudaBindTexture(NULL, &line, memory, &floats, UINT_MAX)); /* as programs leave the size out */
	run_fetch(&fetch, 60, got);
	REQUIRE(got[31] == values[91]);
	OK(cudaUnbindTexture(&line));
	OK(cudaUnbindTexture(&line));
	FAILS(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &line));

	FAILS(cudaErrorInvalidTexture, cudaBindTexture(&offset, (struct textureReference *)got, memory, &floats, 64));
	FAILS(cudaErrorInvalidTexture, cudaUnbindTexture((struct textureReference *)got));
	FAILS(cudaErrorInvalidChannelDescriptor, cudaBindTexture(&offset, &line, memory, &bad, 64));
}

/* Compilers of release 5.0 and later register textures by their qualified names. */
static void qualified(void)
{
	static const struct { const char *registered, *module; } names[] = {
		{"::plain", "plain"}, {"plain", "plain"}, {"::hidden", "_ZL6hidden"}, {"hidden", "_ZL6hidden"},
		{"filters::image", "_ZN7filters5imageE"}, {"::filters::image", "_ZN7filters5imageE"},
		{"a::b::tex_1", "_ZN1a1b5tex_1E"}, {"a::b::tex_1", "_ZN1a1bL5tex_1E"}, {"_ZN1a1tE", "_ZN1a1tE"},
	};
	static struct textureReference reference, missing;
	static struct code room;
	static char fetch_it;
	unsigned char b[256];
	size_t i, offset;

	for (i = 0; i < sizeof b; i++)
		b[i] = (unsigned char)(i * 37);
	OK(cudaMemcpy(memory, b, sizeof b, cudaMemcpyHostToDevice));
	for (i = 0; i < sizeof names / sizeof names[0]; i++) {
		char text[1024];
		void **handle;

		snprintf(text, sizeof text, "%s%s%s%s%s", ".version 1.4\n.target sm_10\n.tex .u32 ", names[i].module,
			";\n.entry fetch_it (.param ." POINTER " out, .param .u32 offset) {\n" REGISTERS INDEX
			"ld.param.u32 %r3, [out]; add.u32 %r3, %r3, %r1; ld.param.u32 %r4, [offset]; add.u32 %r4, %r4, %r0;\n"
			"tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [", names[i].module,
			", {%r4, %r4, %r4, %r4}]; st.global.u32 [%r3], %r5; exit; }\n");
		handle = register_code(&room, text);
		register_kernel(handle, &fetch_it, "fetch_it");
		__cudaRegisterTexture(handle, &reference, (const void **)names[i].registered, names[i].registered, 1, 0, 0);
		__cudaRegisterTexture(handle, &missing, (const void **)"a::<b>::t", "a::<b>::t", 1, 0, 0);
#if CUDART_VERSION >= 10000
		__cudaRegisterFatBinaryEnd(handle);
#endif
		OK(cudaBindTexture(&offset, &reference, memory, &bytes, 256));
		FAILS(cudaErrorInvalidTexture, cudaBindTexture(&offset, &missing, memory, &bytes, 256));
		run_fetch(&fetch_it, 7, words);
		REQUIRE(words[0] == b[7] && words[31] == b[38]);
		__cudaUnregisterFatBinary(handle);
	}
}

/* Bytes are read as they are, or as fractions where the texture was registered so. */
static void integers(void)
{
	static struct textureReference fractions;
	static const char code[] =
		".version 1.4\n.target sm_10\n.tex .u32 part;\n"
		".entry parts (.param ." POINTER " out, .param .u32 offset) {\n" REGISTERS INDEX
		"	ld.param.u32 %r3, [out];\n"
		"	add.u32 %r3, %r3, %r1;\n"
		"	ld.param.u32 %r4, [offset];\n"
		"	add.u32 %r4, %r4, %r0;\n"
		"	tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [part, {%r4, %r4, %r4, %r4}];\n"
		"	st.global.f32 [%r3], %f0;\n"
		"	exit;\n}\n";
	static char parts;
	static struct code room;
	void **handle = register_code(&room, code);
	unsigned char b[256];
	size_t offset;
	int i;

	for (i = 0; i < 256; i++)
		b[i] = (unsigned char)(i * 37);
	OK(cudaMemcpy(memory, b, 256, cudaMemcpyHostToDevice));
	OK(cudaBindTexture(&offset, &line, memory, &bytes, 256));
	run_fetch(&fetch_word, 5, words);
	for (i = 0; i < 32; i++)
		REQUIRE(words[i] == b[i + 5]);
	register_kernel(handle, &parts, "parts");
	__cudaRegisterTexture(handle, &fractions, (const void **)"part", "part", 1, 1, 0);
#if CUDART_VERSION >= 10000
	__cudaRegisterFatBinaryEnd(handle);
#endif
	OK(cudaBindTexture(&offset, &fractions, memory, &bytes, 256));
	run_fetch(&parts, 9, got);
	for (i = 0; i < 32; i++) {
		float off = got[i] - b[i + 9] / 255.0f; /* x87 has more digits */

		REQUIRE(off > -1e-6f && off < 1e-6f);
	}
	__cudaUnregisterFatBinary(handle);
	FAILS(cudaErrorInvalidTexture, cudaUnbindTexture(&fractions));
	OK(cudaMemcpy(memory, values, N * 4, cudaMemcpyHostToDevice));
}

#if CUDART_VERSION >= 2020
static void rows(void)
{
	float *p;
	size_t offset = 77, memory_pitch;

	OK(cudaMallocPitch((void **)&p, &memory_pitch, N * 4, N));
	OK(cudaMemcpy2D(p, memory_pitch, values, N * 4, N * 4, N, cudaMemcpyHostToDevice));
	memset(&image, 0, sizeof image);
	image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
	image.filterMode = cudaFilterModePoint;
	OK(cudaBindTexture2D(&offset, &image, p, &floats, N, N, memory_pitch));
	REQUIRE(offset == 0);
	run_sample(0.5f, 2.5f, 1, 1);
	REQUIRE(got[0] == values[2 * N] && got[7] == values[9 * N + 7]);
	run_sample(-5, 3, 0, 0);
	REQUIRE(got[0] == values[3 * N]);
	OK(cudaBindTexture2D(&offset, &image, (char *)p + 32, &floats, N - 8, N, memory_pitch));
	REQUIRE(offset == 32);
	run_sample(offset / 4 + 0.5f, 2.5f, 1, 0); /* the program adds the offset */
	REQUIRE(got[0] == values[2 * N + 8] && got[7] == values[2 * N + 15]);
	OK(cudaBindTexture2D(&offset, &image, p, &floats, N, N, memory_pitch));
	image.filterMode = cudaFilterModeLinear; /* launches look at the reference */
	run_sample(2, 5.5f, 0, 0);
	REQUIRE(got[0] == (values[5 * N + 1] + values[5 * N + 2]) / 2);
	FAILS(cudaErrorInvalidChannelDescriptor, cudaBindTexture2D(&offset, &image, p, &bad, N, N, memory_pitch));
	OK(cudaUnbindTexture(&image));
	OK(cudaFree(p));
}
#endif

static void arrays(void)
{
	cudaArray_t a, b;
	struct cudaChannelFormatDesc d;
	size_t offset;

	OK(cudaMallocArray(&a, &floats, N, N, 0));
	OK(cudaMallocArray(&b, &floats, N, 2, 0));
	OK(cudaMemcpyToArray(a, 0, 0, values, sizeof values, cudaMemcpyHostToDevice));
	OK(cudaMemcpyToArray(b, 0, 0, values + N, N * 8, cudaMemcpyHostToDevice));
	OK(cudaGetChannelDesc(&d, a));
	memset(&image, 0, sizeof image);
	image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
	OK(cudaBindTextureToArray(&image, a, &d));
	FAILS(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &image));
	run_sample(10.5f, 20.5f, 1, 2);
	REQUIRE(got[0] == values[20 * N + 10] && got[5] == values[30 * N + 15]);

	/* Normalized coordinates wrap; a change of the reference counts from the next launch. */
	image.normalized = 1;
	image.addressMode[0] = image.addressMode[1] = cudaAddressModeWrap;
	run_sample(1 + 10.5f / N, 3 + 20.5f / N, 0, 1);
	REQUIRE(got[0] == values[20 * N + 10] && got[7] == values[20 * N + 10]);

	/* Another array, and back. */
	OK(cudaBindTextureToArray(&image, b, &d));
	run_sample(1.5f / N, 0.75f, 0, 0);
	REQUIRE(got[0] == values[2 * N + 1]);
	OK(cudaUnbindTexture(&image));
	OK(cudaBindTextureToArray(&image, a, &d));
	run_sample(1.5f / N, 0.75f, 0, 0);
	REQUIRE(got[0] == values[48 * N + 1]);
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(b));
}

static void references(void)
{
	const struct textureReference *r = NULL;

	OK(cudaGetTextureReference(&r, "image"));
	REQUIRE(r == &image);
	OK(cudaGetTextureReference(&r, &image));
	REQUIRE(r == &image);
	FAILS(cudaErrorInvalidTexture, cudaGetTextureReference(&r, "imag"));
}

int main(void)
{
	int i;

	for (i = 0; i < N * N; i++)
		values[i] = (float)(i * 3 + 1);
	OK(cudaMalloc((void **)&memory, sizeof values));
	OK(cudaMalloc((void **)&out, 4096));
	OK(cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice));
	linear();
	integers();
	qualified();
#if CUDART_VERSION >= 2020
	rows();
#endif
	arrays();
	references();
	return passed();
}
