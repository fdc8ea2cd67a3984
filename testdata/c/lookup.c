/* A program that opens the library itself, and chooses a device after that. It takes functions of
   both interfaces, which work on the same objects, and closes and reopens the library. */
#include <cuda.h>
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

static void *library;

typedef void (*function)(void);

static function find(const char *name)
{
	void *address = dlsym(library, name);
	function f;

	if (address == NULL)
		printf("%s: %s\n", name, dlerror());
	REQUIRE(address != NULL);
	memcpy(&f, &address, sizeof f); /* the form that POSIX needs; C has no such cast */
	return f;
}

/* Function types, by parameters; p is a pointer, u an unsigned int, i an int and z a size_t. */
typedef CUresult (*fn_u)(unsigned int);
typedef CUresult (*fn_p)(void *);
typedef CUresult (*fn_z)(size_t);
typedef CUresult (*fn_pp)(void *, void *);
typedef CUresult (*fn_pu)(void *, unsigned int);
typedef CUresult (*fn_pz)(void *, size_t);
typedef CUresult (*fn_pii)(void *, int, int);
typedef CUresult (*fn_pui)(void *, unsigned int, int);
typedef CUresult (*fn_upu)(unsigned int, const void *, unsigned int);
typedef CUresult (*fn_pzz)(void *, size_t, size_t);

/* use_library makes calls through both interfaces. */
static void use_library(const char *path)
{
	CUcontext context;
	uint32_t narrow[2], words[4] = {1, 2, 3, 4}, back[4] = {0, 0, 0, 0};
	uint64_t wide[2];
	unsigned int free32[2], total32[2];
	size_t free64, total64;
	char name[32];
	int count = 0;

	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		puts(dlerror());
	REQUIRE(library != NULL);
	REQUIRE(dlsym(library, "goInit") == NULL);
	REQUIRE(dlsym(library, "cuInit_v2") == NULL);
	REQUIRE(setenv("JACQUARD_DEVICE", "c1060", 1) == 0);
	OK(((fn_u)find("cuInit"))(0));
	OK(((fn_pii)find("cuDeviceGetName"))(name, sizeof name, 0));
	REQUIRE(strcmp(name, "Tesla C1060") == 0);
	OK(((fn_p)find("cuDeviceGetCount"))(&count));
	REQUIRE(count >= 1);
	OK(((fn_pui)find("cuCtxCreate"))(&context, 0, 0));

	/* The older functions write 32 bits only, the newer a whole pointer. */
	memset(narrow, 0xee, sizeof narrow);
	memset(wide, 0xee, sizeof wide);
	OK(((fn_pu)find("cuMemAlloc"))(narrow, sizeof words));
	REQUIRE(narrow[0] != 0 && narrow[1] == 0xeeeeeeee);
	OK(((fn_pz)find("cuMemAlloc_v2"))(wide, sizeof words));
	REQUIRE((size_t)wide[0] != 0 && wide[1] == 0xeeeeeeeeeeeeeeee);
	REQUIRE(wide[0] >> 32 == 0 || sizeof(void *) == 4);
	free32[1] = total32[1] = 0xeeeeeeee;
	OK(((fn_pp)find("cuMemGetInfo"))(free32, total32));
	OK(((fn_pp)find("cuMemGetInfo_v2"))(&free64, &total64));
	REQUIRE(free32[0] == free64 && total32[0] == total64);
	REQUIRE(free32[1] == 0xeeeeeeee && total32[1] == 0xeeeeeeee);

	/* Each interface uses and frees the other's allocations. */
	OK(((fn_upu)find("cuMemcpyHtoD"))((uint32_t)wide[0], words, sizeof words));
	OK(((fn_pzz)find("cuMemcpyDtoH_v2"))(back, (size_t)wide[0], sizeof back));
	REQUIRE(memcmp(words, back, sizeof words) == 0);
	OK(((fn_u)find("cuMemFree"))((uint32_t)wide[0]));
	OK(((fn_z)find("cuMemFree_v2"))(narrow[0]));
	OK(((fn_p)find("cuCtxDestroy_v2"))(context));
	REQUIRE(dlclose(library) == 0);
}

int main(int argc, char **argv)
{
	REQUIRE(argc == 2);
	use_library(argv[1]);
	use_library(argv[1]);
	return passed();
}
