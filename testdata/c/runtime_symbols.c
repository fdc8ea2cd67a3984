/* Variables of device code, by address and by name; images that come and go. */
#include "runtime_check.h"

static unsigned words[64];

static void by_address(void)
{
	unsigned *p, *q;
	size_t size;
	unsigned one;

	OK(cudaGetSymbolAddress((void **)&p, &counter));
	OK(cudaGetSymbolSize(&size, &counter));
	REQUIRE(size == 16);
	OK(cudaGetSymbolSize(&size, &table));
	REQUIRE(size == 256);
	OK(cudaMemcpyFromSymbol(words, &counter, 16, 0, cudaMemcpyDeviceToHost));
	REQUIRE(words[0] == 10 && words[3] == 40);
	one = 77;
	OK(cudaMemcpyToSymbol(&counter, &one, 4, 8, cudaMemcpyHostToDevice));
	OK(cudaMemcpy(words, p, 16, cudaMemcpyDeviceToHost));
	REQUIRE(words[1] == 20 && words[2] == 77 && words[3] == 40);
	OK(cudaMemcpyToSymbol(&counter, p + 2, 4, 0, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpyFromSymbol(&one, &counter, 4, 0, cudaMemcpyDeviceToHost));
	REQUIRE(one == 77);
	one = 1000;
	OK(cudaMemcpyToSymbol(&table, &one, 4, 12, cudaMemcpyHostToDevice));
	OK(cudaMalloc((void **)&q, 256));
	OK(cudaConfigureCall(shape(1, 1, 1), shape(16, 1, 1), 0, 0));
	OK(cudaSetupArgument(&q, sizeof q, 0));
	OK(cudaLaunch(&look));
	OK(cudaMemcpy(words, q, 64, cudaMemcpyDeviceToHost));
	REQUIRE(words[0] == 78 && words[1] == 22 && words[2] == 80 && words[3] == 1040 && words[4] == 77);
	OK(cudaMemcpyToSymbolAsync(&counter, words, 4, 4, cudaMemcpyHostToDevice, 0));
	OK(cudaMemcpyFromSymbolAsync(&one, &counter, 4, 4, cudaMemcpyDeviceToHost, 0));
	OK(synchronize());
	REQUIRE(one == 78);
	OK(cudaFree(q));

	FAILS(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(&one, &one, 4, 0, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidSymbol, cudaGetSymbolAddress((void **)&p, &fill)); /* a kernel */
	FAILS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, &image));         /* a texture */
	FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(&counter, words, 20, 0, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(&counter, words, 4, 16, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidValue, cudaMemcpyFromSymbol(words, &counter, 4, (size_t)-2, cudaMemcpyDeviceToHost));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(&counter, words, 4, 0, cudaMemcpyDeviceToHost));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(&counter, words, 4, 0, cudaMemcpyHostToHost));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(words, &counter, 4, 0, cudaMemcpyHostToDevice));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbolAsync(&counter, words, 4, 0, cudaMemcpyHostToHost, 0));
	FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbolAsync(words, &counter, 4, 0, cudaMemcpyHostToHost, 0));
}

/* A name may stand for a symbol: sources of before release 5.0 are compiled for release 10.0, too. */
static void by_name(void)
{
	const char *name = "table", *no_name = "tabl", *null = NULL;
	size_t size;
	unsigned *p, *q;
	unsigned one;

	OK(cudaGetSymbolAddress((void **)&p, "counter"));
	OK(cudaGetSymbolAddress((void **)&q, &counter));
	REQUIRE(p == q);
	OK(cudaGetSymbolSize(&size, "table"));
	REQUIRE(size == 256);
	OK(cudaMemcpyFromSymbol(&one, "counter", 4, 12, cudaMemcpyDeviceToHost));
	REQUIRE(one == 40);
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
	OK(cudaLaunch("bump"));
	OK(cudaGetSymbolSize(&size, &name)); /* the C++ headers give the address of what they get */
	REQUIRE(size == 256);
	FAILS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, &no_name));
	FAILS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, &null));
	FAILS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, "counte"));
	FAILS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, "fill"));
}

static const char second[] =
	".version 1.4\n.target sm_10\n"
	".global .u32 counter = 5;\n"
	".global .u32 other = 6;\n"
	".global .u32 _ZL6hidden = 7;\n"
	".entry more () { .reg .u32 %r<2>; mov.u32 %r0, counter; ld.global.u32 %r1, [%r0]; add.u32 %r1, %r1, 100;\n"
	"	st.global.u32 [%r0], %r1; exit; }\n";

/* A second image has a variable of the same name, and comes and goes while a context lives. */
static void images(void)
{
	static char more, other, second_counter, hidden;
	static struct code code;
	unsigned one;
	int round;

	for (round = 0; round < 3; round++) {
		void **handle = register_code(&code, second);

		register_kernel(handle, &more, "more");
		__cudaRegisterVar(handle, &second_counter, (char *)"counter", "counter", 0, 4, 0, 0);
		__cudaRegisterVar(handle, &other, (char *)"other", "other", 0, 4, 0, 0);
		__cudaRegisterVar(handle, &hidden, (char *)"_ZL6hidden", "_ZL6hidden", 0, 4, 0, 0);
#if CUDART_VERSION >= 10000
		__cudaRegisterFatBinaryEnd(handle);
#endif
		OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
		OK(cudaLaunch(&more));
		OK(cudaMemcpyFromSymbol(&one, &second_counter, 4, 0, cudaMemcpyDeviceToHost));
		REQUIRE(one == 105); /* the image begins anew */
		OK(cudaMemcpyFromSymbol(&one, &counter, 4, 12, cudaMemcpyDeviceToHost));
		REQUIRE(one == 40);
		OK(cudaMemcpyFromSymbol(&one, "other", 4, 0, cudaMemcpyDeviceToHost));
		REQUIRE(one == 6);
		/* a static variable of a C++ file, by its name in the source */
		OK(cudaMemcpyFromSymbol(&one, "hidden", 4, 0, cudaMemcpyDeviceToHost));
		REQUIRE(one == 7);
		FAILS(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&one, "hidde", 4, 0, cudaMemcpyDeviceToHost));
		FAILS(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&one, "6hidden", 4, 0, cudaMemcpyDeviceToHost));
		__cudaUnregisterFatBinary(handle);
		FAILS(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&one, &other, 4, 0, cudaMemcpyDeviceToHost));
		OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
		FAILS(cudaErrorInvalidDeviceFunction, cudaLaunch(&more));
		OK(launch_bump());
	}
}

/* Symbols that are registered and that the code lacks, and code that is no code. */
static void lacking(void)
{
	static char absent_kernel, absent_variable, broken_kernel, broken_variable;
	static const char broken[] = ".version 1.4\n.target sm_10\nthis is no PTX\n";
	static struct code one, two;
	void **handle = register_code(&one, second), **bad = register_code(&two, broken);
	unsigned word;

	register_kernel(handle, &absent_kernel, "absent");
	__cudaRegisterVar(handle, &absent_variable, (char *)"missing", "missing", 0, 4, 0, 0);
	register_kernel(bad, &broken_kernel, "anything");
	__cudaRegisterVar(bad, &broken_variable, (char *)"anything", "anything", 0, 4, 0, 0);
#if CUDART_VERSION >= 10000
	__cudaRegisterFatBinaryEnd(handle);
	__cudaRegisterFatBinaryEnd(bad);
#endif
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
	FAILS(cudaErrorInvalidDeviceFunction, cudaLaunch(&absent_kernel));
	FAILS(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&word, &absent_variable, 4, 0, cudaMemcpyDeviceToHost));
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
	REQUIRE(cudaLaunch(&broken_kernel) != cudaSuccess);
	REQUIRE(cudaMemcpyFromSymbol(&word, &broken_variable, 4, 0, cudaMemcpyDeviceToHost) != cudaSuccess);
	REQUIRE(cudaGetLastError() != cudaSuccess);
	__cudaUnregisterFatBinary(handle);
	__cudaUnregisterFatBinary(bad);
	__cudaUnregisterFatBinary(bad); /* nothing is left of it */
	__cudaUnregisterFatBinary(handle);
	__cudaUnregisterFatBinary(NULL);
	register_kernel(handle, &absent_kernel, "more"); /* no image has it */
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
	FAILS(cudaErrorInvalidDeviceFunction, cudaLaunch(&absent_kernel));
	OK(launch_bump());
}

int main(void)
{
	by_address();
	by_name();
	images();
	lacking();
	return passed();
}
