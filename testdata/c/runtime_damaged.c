/* Registers code that was damaged, piece by piece from a file, and calls it. Every call answers. The
   file has pieces of a length, in 4 bytes, and that many bytes; memory ends right behind each. */
#include <sys/mman.h>
#include <unistd.h>

#include "runtime_check.h"

/* place copies a piece to the end of readable memory. */
static void *place(const void *piece, size_t size)
{
	size_t page = (size_t)getpagesize(), room = (size + page) / page * page;
	char *all = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	REQUIRE(all != (char *)MAP_FAILED);
	REQUIRE(mprotect(all + room, page, PROT_NONE) == 0);
	return memcpy(all + room - size, piece, size);
}

static void try_code(const void *piece, size_t size)
{
	static char kernel, variable;
	struct {
		uint32_t magic, version;
		const void *code;
		void *unused;
	} wrapper = {0x466243b1, 1, NULL, NULL};
	void **handle;
	unsigned word;
	void *memory;

	wrapper.code = place(piece, size);
	handle = __cudaRegisterFatBinary(&wrapper);
	register_kernel(handle, &kernel, "bump");
	__cudaRegisterVar(handle, &variable, (char *)"counter", "counter", 0, 16, 0, 0);
	cudaMemcpyFromSymbol(&word, &variable, 4, 0, cudaMemcpyDeviceToHost);
	cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0);
	cudaLaunch(&kernel);
	synchronize();
	__cudaUnregisterFatBinary(handle);
	if (cudaMalloc(&memory, 0) != cudaSuccess)
		leave(); /* the code ran, and faulted */
	cudaGetLastError();
}

int main(int argc, char **argv)
{
	static char piece[1 << 20];
	uint32_t size;
	int pieces = 0;
	FILE *file;

	REQUIRE(argc == 2);
	file = fopen(argv[1], "rb");
	REQUIRE(file != NULL);
	for (; fread(&size, sizeof size, 1, file) == 1; pieces++) {
		REQUIRE(size <= sizeof piece && fread(piece, 1, size, file) == size);
		try_code(piece, size);
	}
	fclose(file);
	REQUIRE(pieces > 0);
	leave();
	cudaGetLastError();
	OK(launch_bump());
	OK(synchronize());
	return passed();
}
