#define _GNU_SOURCE
#include "choice.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names_gen.h"

// Up to CUDA 2.0 the library had no number, and only programs of that time link this name. So a
// program gets the first release that has all functions of any release that the program imports,
// and that knows the container of its first image. A process that loads the library without a link
// to it, as scripts do, gets the last release.

static const char *const releases[] = {RUNTIME_RELEASES};
enum {
	RELEASES = sizeof releases / sizeof releases[0],
	WRAPPER_MAGIC = 0x466243b1, // before the images of release 4.0 and later
};

static size_t users; // objects that link this library
static int chosen = -1;
static int registered; // whether an image was

void absent(const char *name)
{
	fprintf(stderr, "jacquard: release %s of the CUDA runtime has no %s\n", chosen < 0 ? "?" : releases[chosen], name);
	abort();
}

// open_release loads the library of a release, which lies beside this one.
static void *open_release(const char *release)
{
	Dl_info self;
	char path[4096];
	if (dladdr(entries, &self) == 0 || self.dli_fname == NULL)
		return NULL;
	const char *slash = strrchr(self.dli_fname, '/');
	int folder = slash == NULL ? 0 : (int)(slash + 1 - self.dli_fname);
	int n = snprintf(path, sizeof path, "%.*slibcudart.so.%s", folder, self.dli_fname, release);
	return n < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static int has_imports(void *library)
{
	for (size_t i = 0; i < entry_count; i++)
		if (entries[i].imported && dlsym(library, entries[i].name) == NULL)
			return 0;
	return 1;
}

static void enter(void *library)
{
	for (size_t i = 0; i < entry_count; i++) {
		void *function = dlsym(library, entries[i].name);
		*entries[i].slot = function != NULL ? function : (void *)entries[i].absent;
	}
}

// choose takes the first release of a range; with all, the first release that has all imports.
static int choose(int first, int last, int step, int all)
{
	for (int i = first; i != last + step; i += step) {
		void *library = open_release(releases[i]);
		if (library == NULL || (all && !has_imports(library)))
			continue;
		enter(library);
		chosen = i;
		return 1;
	}
	return 0;
}

__attribute__((constructor)) static void start(void)
{
	users = find_imports("libcudart.so");
	if (users > 0 && choose(0, RELEASES - 1, 1, 1))
		return;
	if (choose(RELEASES - 1, 0, -1, 0)) {
		if (users > 0)
			fprintf(stderr, "jacquard: no release of the CUDA runtime has all functions that the process links: it gets %s\n",
			        releases[chosen]);
		return;
	}
	for (size_t i = 0; i < entry_count; i++)
		*entries[i].slot = (void *)entries[i].absent;
}

// The first image decides between releases before 4.0 and later releases.
CUDARTAPI void **__cudaRegisterFatBinary(void *image)
{
	uint32_t magic = 0;
	if (image != NULL)
		memcpy(&magic, image, sizeof magic);
	if (!registered++ && users > 0 && (magic == WRAPPER_MAGIC) != (chosen >= RUNTIME_FIRST_FLAT)) {
		if (magic == WRAPPER_MAGIC)
			choose(RUNTIME_FIRST_FLAT, RELEASES - 1, 1, 1);
		else
			choose(0, RUNTIME_FIRST_FLAT - 1, 1, 1);
	}
	return ((void **(*)(void *))slot___cudaRegisterFatBinary)(image);
}
