/* A program that finds every function through cuGetProcAddress, like runtime libraries since 11.3.
   */
#include <cuda.h>
#include <dlfcn.h>
#include <string.h>

#include "check.h"

/* The two forms of cuGetProcAddress; cuda.h has only the first. */
typedef CUresult (*get_fn)(const char *symbol, void **pfn, int version, cuuint64_t flags);
typedef CUresult (*get_v2_fn)(const char *symbol, void **pfn, int version, cuuint64_t flags, int *status);
enum { FOUND, NOT_FOUND, TOO_NEW };

static get_v2_fn get;

/* find checks that a program of this release gets symbol for name. */
static void find(const char *name, int version, const char *symbol)
{
	void *found = NULL, *again = NULL;
	int status = NOT_FOUND;

	OK(get(name, &found, version, 0, &status));
	REQUIRE(found != NULL && found == dlsym(RTLD_DEFAULT, symbol));
	REQUIRE(status == FOUND);
	OK(get(name, &again, version, 2, NULL));
	REQUIRE(again == found);
}

/* miss checks that there is no function for name. */
static void miss(const char *name, int version, int why)
{
	void *found = &found;
	int status = FOUND;

	EXPECT(CUDA_ERROR_NOT_FOUND, get(name, &found, version, 0, &status));
	REQUIRE(found == NULL);
	REQUIRE(status == why);
}

int main(void)
{
	void *found, *entry;
	get_fn lookup;
	CUresult (*init)(unsigned int);
	int count = 0;

	entry = dlsym(RTLD_DEFAULT, "cuGetProcAddress_v2");
	REQUIRE(entry != NULL);
	memcpy(&get, &entry, sizeof get); /* the form that POSIX needs; C has no such cast */
	find("cuMemAlloc", 12000, "cuMemAlloc_v2");
	find("cuMemAlloc", 3010, "cuMemAlloc");
	find("cuCtxDestroy", 3020, "cuCtxDestroy");
	find("cuCtxDestroy", 4000, "cuCtxDestroy_v2");
	find("cuTexRefSetAddress2D", 4000, "cuTexRefSetAddress2D_v2");
	find("cuTexRefSetAddress2D", 4010, "cuTexRefSetAddress2D_v3");
	find("cuGetProcAddress", 11030, "cuGetProcAddress");
	find("cuGetProcAddress", 12000, "cuGetProcAddress_v2");
	miss("cuDevicePrimaryCtxRetain", 6050, TOO_NEW);
	miss("cuMemAlloc_v2", 12000, NOT_FOUND);
	miss("jacquard_enter", 12000, NOT_FOUND);
	EXPECT(CUDA_ERROR_INVALID_VALUE, get(NULL, &found, 12000, 0, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, get("cuInit", NULL, 12000, 0, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, get("cuInit", &found, 0, 0, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, get("cuInit", &found, 12000, 4, NULL));

	/* The function works; the older form has no status. */
	OK(get("cuGetProcAddress", &entry, 11030, 0, NULL));
	memcpy(&lookup, &entry, sizeof lookup);
	OK(lookup("cuInit", &entry, 11030, 1));
	memcpy(&init, &entry, sizeof init);
	OK(init(0));
	OK(cuDeviceGetCount(&count));
	REQUIRE(count == 1);
	EXPECT(CUDA_ERROR_NOT_FOUND, lookup("cuNothing", &entry, 11030, 0));
	return passed();
}
