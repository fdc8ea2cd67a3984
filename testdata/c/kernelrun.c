/* kernelrun JOB: runs a kernel by the lines of the file JOB, in order:
     module FILE             load a cubin
     function NAME           of that module
     block X Y Z | grid X Y  shapes
     params BYTES            size of the parameters
     value OFFSET BYTES HEX  puts a value into the parameters
     buffer OFFSET FILE      puts the address of a new buffer with FILE's content there
     launch old|new          by cuLaunchGrid or by cuLaunchKernel
     reload                  fills the buffers from their files again
     save                    writes the buffers back to their files */
#include <cuda.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

#define MAX_BUFFERS 16

static struct buffer {
	char file[4096];
	size_t bytes;
	CUdeviceptr address;
} buffers[MAX_BUFFERS];

static int buffer_count;
static unsigned char params[256];
static size_t params_size;

/* contents reads a whole file. The caller frees it. */
static unsigned char *contents(const char *path, size_t *bytes)
{
	unsigned char *data = NULL;
	FILE *file = fopen(path, "rb");
	long size;

	if (file == NULL)
		printf("cannot open %s\n", path);
	REQUIRE(file != NULL);
	REQUIRE(fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0);
	*bytes = (size_t)size;
	data = (unsigned char *)malloc(*bytes + 1);
	REQUIRE(data != NULL && fread(data, 1, *bytes, file) == *bytes);
	fclose(file);
	return data;
}

static void set_param(unsigned int offset, const void *value, size_t bytes)
{
	REQUIRE(offset <= sizeof params && bytes <= sizeof params - offset);
	memcpy(params + offset, value, bytes);
}

static void add_buffer(unsigned int offset, const char *file)
{
	struct buffer *b = &buffers[buffer_count++];
	unsigned char *data;
	uint32_t address;

	REQUIRE(buffer_count <= MAX_BUFFERS);
	strcpy(b->file, file);
	data = contents(file, &b->bytes);
	OK(cuMemAlloc(&b->address, b->bytes));
	OK(cuMemcpyHtoD(b->address, data, b->bytes));
	free(data);
	address = (uint32_t)b->address;
	REQUIRE(address == b->address);
	set_param(offset, &address, sizeof address);
}

static void reload(void)
{
	int i;
	for (i = 0; i < buffer_count; i++) {
		size_t bytes;
		unsigned char *data = contents(buffers[i].file, &bytes);
		REQUIRE(bytes == buffers[i].bytes);
		OK(cuMemcpyHtoD(buffers[i].address, data, bytes));
		free(data);
	}
}

static void save(void)
{
	int i;
	for (i = 0; i < buffer_count; i++) {
		unsigned char *data = (unsigned char *)malloc(buffers[i].bytes);
		FILE *file = fopen(buffers[i].file, "wb");
		REQUIRE(data != NULL && file != NULL);
		OK(cuMemcpyDtoH(data, buffers[i].address, buffers[i].bytes));
		REQUIRE(fwrite(data, 1, buffers[i].bytes, file) == buffers[i].bytes && fclose(file) == 0);
		free(data);
	}
}

static void launch(CUfunction kernel, const char *style, const unsigned int *block, const unsigned int *grid)
{
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, params, CU_LAUNCH_PARAM_BUFFER_SIZE, &params_size, CU_LAUNCH_PARAM_END};

	if (strcmp(style, "new") == 0) {
		OK(cuLaunchKernel(kernel, grid[0], grid[1], 1, block[0], block[1], block[2], 0, NULL, NULL, extra));
	} else {
		OK(cuParamSetv(kernel, 0, params, (unsigned int)params_size));
		OK(cuParamSetSize(kernel, (unsigned int)params_size));
		OK(cuFuncSetBlockShape(kernel, (int)block[0], (int)block[1], (int)block[2]));
		OK(cuLaunchGrid(kernel, (int)grid[0], (int)grid[1]));
	}
	OK(cuCtxSynchronize());
}

int main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module = NULL;
	CUfunction kernel = NULL;
	unsigned int block[3] = {1, 1, 1}, grid[2] = {1, 1}, offset, n;
	char line[5000], word[4096];
	FILE *job;

	REQUIRE(argc == 2);
	job = fopen(argv[1], "r");
	REQUIRE(job != NULL);
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	while (fgets(line, sizeof line, job)) {
		unsigned long long value;
		if (sscanf(line, "module %4095s", word) == 1) {
			OK(cuModuleLoad(&module, word));
		} else if (sscanf(line, "function %4095s", word) == 1) {
			OK(cuModuleGetFunction(&kernel, module, word));
		} else if (sscanf(line, "block %u %u %u", &block[0], &block[1], &block[2]) == 3) {
			continue;
		} else if (sscanf(line, "grid %u %u", &grid[0], &grid[1]) == 2) {
			continue;
		} else if (sscanf(line, "params %u", &n) == 1) {
			params_size = n;
		} else if (sscanf(line, "value %u %u %llx", &offset, &n, &value) == 3) {
			REQUIRE(n <= sizeof value);
			set_param(offset, &value, n); /* the hosts of this hardware are little-endian */
		} else if (sscanf(line, "buffer %u %4095s", &offset, word) == 2) {
			add_buffer(offset, word);
		} else if (sscanf(line, "launch %4095s", word) == 1) {
			launch(kernel, word, block, grid);
		} else if (strcmp(line, "reload\n") == 0) {
			reload();
		} else if (strcmp(line, "save\n") == 0) {
			save();
		} else {
			printf("unknown line: %s", line);
			return 1;
		}
	}
	OK(cuCtxDestroy(context));
	return passed();
}
