/* A kernel stores the addresses of allocations of several sizes. */
#include <cuda.h>

#include "check.h"

#define COUNT 6

static const char text[] = ".version 6.0\n"
			   ".target sm_10\n"
			   ".address_size 64\n"
			   ".visible .entry keep(.param .u64 at, .param .u64 address) {\n"
			   "	.reg .u64 %a, %b;\n"
			   "	ld.param.u64 %a, [at];\n"
			   "	ld.param.u64 %b, [address];\n"
			   "	st.global.u64 [%a], %b;\n"
			   "	ret;\n"
			   "}\n";

int main(void)
{
	static const size_t sizes[COUNT] = {100, 4096, 100, 5000, 65536, 256};
	CUcontext context;
	CUmodule module;
	CUfunction keep;
	CUdeviceptr p[COUNT], at;
	unsigned long long kept[COUNT];
	int i;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&keep, module, "keep"));
	OK(cuMemAlloc(&at, sizeof kept));
	for (i = 0; i < COUNT; i++)
		OK(cuMemAlloc(&p[i], sizes[i]));
	for (i = 0; i < COUNT; i++) {
		unsigned long long to = at + 8 * (unsigned)i, address = p[i];
		void *arguments[] = {&to, &address};

		OK(cuLaunchKernel(keep, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
	}
	OK(cuMemcpyDtoH(kept, at, sizeof kept));
	for (i = 0; i < COUNT; i++)
		REQUIRE(kept[i] == p[i]);
	return passed();
}
