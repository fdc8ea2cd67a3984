#include "runtime.h"

#include <string.h>

// Copies of rows and volumes. Every copy becomes the driver's copy of volumes; a row is a volume of
// height and depth 1.

// struct side is one side of a copy: an array, or memory of the program or device.
struct side {
	CUarray array;
	const void *memory;
	int host;
	size_t x, y, z;       // where the copy begins: x in bytes
	size_t pitch, height; // of memory
};

struct size {
	size_t width, height, depth; // width in bytes
};

// Whether a call waits for its copy, and in which stream it copies.
struct order {
	int wait;
	CUstream stream;
};
static const struct order at_once = {1, NULL};

static struct order in(cudaStream_t stream)
{
	return (struct order){0, stream_of(stream)};
}

static cudaError_t copy(struct side dst, struct side src, struct size size, struct order order)
{
	if (size.width == 0 || size.height == 0 || size.depth == 0)
		return cudaSuccess;
	int narrow = (src.array == NULL && src.pitch < size.width) || (dst.array == NULL && dst.pitch < size.width);
	if (narrow && (size.height > 1 || size.depth > 1))
		return INVALID_PITCH;
	CUDA_MEMCPY3D c;
	memset(&c, 0, sizeof c);
	c.srcMemoryType = src.array != NULL ? CU_MEMORYTYPE_ARRAY : src.host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
	c.srcArray = src.array;
	c.srcHost = src.memory;
	c.srcDevice = device_pointer(src.memory);
	c.srcXInBytes = src.x, c.srcY = src.y, c.srcZ = src.z;
	c.srcPitch = src.pitch, c.srcHeight = src.height;
	c.dstMemoryType = dst.array != NULL ? CU_MEMORYTYPE_ARRAY : dst.host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
	c.dstArray = dst.array;
	c.dstHost = (void *)dst.memory;
	c.dstDevice = device_pointer(dst.memory);
	c.dstXInBytes = dst.x, c.dstY = dst.y, c.dstZ = dst.z;
	c.dstPitch = dst.pitch, c.dstHeight = dst.height;
	c.WidthInBytes = size.width, c.Height = size.height, c.Depth = size.depth;
	return runtime_result(order.wait ? driver.cuMemcpy3D(&c) : driver.cuMemcpy3DAsync(&c, order.stream));
}

// memory_of tells the kind of memory of a side.
static enum memory memory_of(const struct side *s)
{
	return s->array != NULL ? MEMORY_DEVICE : runtime_memory(s->memory);
}

// places tells for a kind of copy which sides are in the program's memory.
static cudaError_t places(enum cudaMemcpyKind kind, struct side *dst, struct side *src)
{
	if (kind == cudaMemcpyDefault && CUDART_VERSION >= 4000) {
		enum memory to = memory_of(dst), from = memory_of(src);
		dst->host = to == MEMORY_HOST;
		src->host = from == MEMORY_HOST;
		return to == MEMORY_EITHER || from == MEMORY_EITHER ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
	}
	if ((unsigned int)kind > cudaMemcpyDeviceToDevice)
		return cudaErrorInvalidMemcpyDirection;
	dst->host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
	src->host = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
	int array_in_host = (dst->array != NULL && dst->host) || (src->array != NULL && src->host);
	return array_in_host ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
}

static cudaError_t copy_rows(struct side dst, struct side src, size_t width, size_t height, enum cudaMemcpyKind kind,
	struct order order)
{
	if (width == 0 || height == 0)
		return cudaSuccess;
	cudaError_t error = places(kind, &dst, &src);
	dst.height = src.height = height;
	return error != cudaSuccess ? error : copy(dst, src, (struct size){width, height, 1}, order);
}

cudaError_t runtime_Memcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
	enum cudaMemcpyKind kind)
{
	return copy_rows((struct side){.memory = dst, .pitch = dpitch}, (struct side){.memory = src, .pitch = spitch}, width,
		height, kind, at_once);
}

cudaError_t runtime_Memcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_rows((struct side){.memory = dst, .pitch = dpitch}, (struct side){.memory = src, .pitch = spitch}, width,
		height, kind, in(stream));
}

// in_array is a place in an array.
static struct side in_array(cudaArray_const_t array, size_t x, size_t y)
{
	return (struct side){.array = array_of(array), .x = x, .y = y};
}

cudaError_t runtime_Memcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
	size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return copy_rows(in_array(dst, wOffset, hOffset), (struct side){.memory = src, .pitch = spitch}, width,
		height, kind, at_once);
}

cudaError_t runtime_Memcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
	size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_rows(in_array(dst, wOffset, hOffset), (struct side){.memory = src, .pitch = spitch}, width,
		height, kind, in(stream));
}

cudaError_t runtime_Memcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
	size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return copy_rows((struct side){.memory = dst, .pitch = dpitch}, in_array(src, wOffset, hOffset), width,
		height, kind, at_once);
}

cudaError_t runtime_Memcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
	size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_rows((struct side){.memory = dst, .pitch = dpitch}, in_array(src, wOffset, hOffset), width,
		height, kind, in(stream));
}

cudaError_t runtime_Memcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
	size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, enum cudaMemcpyKind kind)
{
	if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	return copy(in_array(dst, wOffsetDst, hOffsetDst), in_array(src, wOffsetSrc, hOffsetSrc),
		(struct size){width, height, 1}, at_once);
}

// row_size answers the bytes of an array's rows.
static cudaError_t row_size(size_t *bytes, CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	CUresult result = driver.cuArray3DGetDescriptor(&d, array);
	*bytes = result == CUDA_SUCCESS ? d.Width * runtime_element_size(&d) : 0;
	return runtime_result(result);
}

// advance moves a side past n bytes; in an array the next row follows the end of a row.
static void advance(struct side *s, size_t n, size_t row)
{
	if (s->array == NULL)
		s->memory = (const char *)s->memory + n;
	else {
		s->x += n;
		s->y += s->x / row;
		s->x %= row;
	}
}

// copy_along copies count bytes that follow each other, in arrays from one row to the next.
static cudaError_t copy_along(struct side dst, struct side src, size_t count, enum cudaMemcpyKind kind,
	struct order order)
{
	size_t to = 1, from = 1;
	cudaError_t error = places(kind, &dst, &src);
	if (error == cudaSuccess && dst.array != NULL)
		error = row_size(&to, dst.array);
	if (error == cudaSuccess && src.array != NULL)
		error = row_size(&from, src.array);
	if (error == cudaSuccess && (to == 0 || from == 0))
		error = cudaErrorInvalidValue;
	if (error == cudaSuccess) { // offsets may lie beyond a row
		advance(&dst, 0, to);
		advance(&src, 0, from);
	}
	while (error == cudaSuccess && count > 0) {
		size_t n = count, rows = 1;
		if (dst.array != NULL && n > to - dst.x)
			n = to - dst.x;
		if (src.array != NULL && n > from - src.x)
			n = from - src.x;
		if (dst.x == 0 && src.x == 0 && (dst.array == NULL || n == to) && (src.array == NULL || n == from))
			rows = count / n; // whole rows at once
		dst.pitch = src.pitch = n;
		dst.height = src.height = rows;
		error = copy(dst, src, (struct size){n, rows, 1}, order);
		advance(&dst, n * rows, to);
		advance(&src, n * rows, from);
		count -= n * rows;
	}
	return error;
}

cudaError_t runtime_MemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
	enum cudaMemcpyKind kind)
{
	return copy_along(in_array(dst, wOffset, hOffset), (struct side){.memory = src}, count, kind, at_once);
}

cudaError_t runtime_MemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_along(in_array(dst, wOffset, hOffset), (struct side){.memory = src}, count, kind, in(stream));
}

cudaError_t runtime_MemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
	enum cudaMemcpyKind kind)
{
	return copy_along((struct side){.memory = dst}, in_array(src, wOffset, hOffset), count, kind, at_once);
}

cudaError_t runtime_MemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_along((struct side){.memory = dst}, in_array(src, wOffset, hOffset), count, kind, in(stream));
}

cudaError_t runtime_MemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
	size_t wOffsetSrc, size_t hOffsetSrc, size_t count, enum cudaMemcpyKind kind)
{
	return copy_along(in_array(dst, wOffsetDst, hOffsetDst), in_array(src, wOffsetSrc, hOffsetSrc), count, kind, at_once);
}

// struct box is a side of the two structures of copies of volumes.
struct box {
	cudaArray_t array;
	struct cudaPos position;
	struct cudaPitchedPtr memory;
};

// prepare makes a side of a box, with x still in elements. It answers the size of an array's elements,
// 0 for memory.
static cudaError_t prepare(struct side *s, size_t *element, const struct box *b)
{
	*s = (struct side){.array = array_of(b->array), .memory = b->memory.ptr, .x = b->position.x, .y = b->position.y,
		.z = b->position.z, .pitch = b->memory.pitch, .height = b->memory.ysize};
	*element = 0;
	if ((s->array == NULL) == (s->memory == NULL))
		return cudaErrorInvalidValue;
	if (s->array == NULL)
		return cudaSuccess;
	CUDA_ARRAY3D_DESCRIPTOR d;
	CUresult result = driver.cuArray3DGetDescriptor(&d, s->array);
	*element = result == CUDA_SUCCESS ? runtime_element_size(&d) : 0;
	return runtime_result(result);
}

// copy_box counts in elements if a side is an array, else in bytes. The same holds for places in
// memory, as in runtime 4.2, although its manual differs.
static cudaError_t copy_box(const struct box *to, const struct box *from, struct cudaExtent extent,
	enum cudaMemcpyKind kind,
	struct order order)
{
	struct side dst, src;
	size_t of_dst, of_src;
	cudaError_t error = prepare(&dst, &of_dst, to);
	if (error == cudaSuccess)
		error = prepare(&src, &of_src, from);
	if (error == cudaSuccess)
		error = places(kind, &dst, &src);
	if (error != cudaSuccess)
		return error;
	if (of_dst != 0 && of_src != 0 && of_dst != of_src)
		return cudaErrorInvalidValue;
	size_t element = of_dst != 0 ? of_dst : of_src != 0 ? of_src : 1;
	dst.x *= element;
	src.x *= element;
	return copy(dst, src, (struct size){extent.width * element, extent.height, extent.depth}, order);
}

static cudaError_t copy_volume(const struct cudaMemcpy3DParms *program, struct order order)
{
	struct cudaMemcpy3DParms p;
	cudaError_t error = runtime_read(&p, program, sizeof p);
	if (error != cudaSuccess)
		return error;
	struct box to = {p.dstArray, p.dstPos, p.dstPtr}, from = {p.srcArray, p.srcPos, p.srcPtr};
	return copy_box(&to, &from, p.extent, p.kind, order);
}

cudaError_t runtime_Memcpy3D(const struct cudaMemcpy3DParms *p)
{
	return copy_volume(p, at_once);
}

cudaError_t runtime_Memcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	return copy_volume(p, in(stream));
}

#if CUDART_VERSION >= 4000
// Between devices: the driver reaches one device's memory at a time, so both must be the same.
static cudaError_t copy_peer(const struct cudaMemcpy3DPeerParms *program, struct order order)
{
	struct cudaMemcpy3DPeerParms p;
	cudaError_t error = runtime_read(&p, program, sizeof p);
	if (error != cudaSuccess)
		return error;
	if (p.srcDevice != runtime_device() || p.dstDevice != runtime_device())
		return runtime_error(cudaErrorNotSupported);
	struct box to = {p.dstArray, p.dstPos, p.dstPtr}, from = {p.srcArray, p.srcPos, p.srcPtr};
	return copy_box(&to, &from, p.extent, cudaMemcpyDeviceToDevice, order);
}

cudaError_t runtime_Memcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
	return copy_peer(p, at_once);
}

cudaError_t runtime_Memcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
	return copy_peer(p, in(stream));
}
#endif
