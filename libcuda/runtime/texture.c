#include "runtime.h"

#include <string.h>

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

// The driver's formats, by kind and bits.
static const struct {
	enum cudaChannelFormatKind kind;
	int bits;
	CUarray_format format;
} formats[] = {
	{cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8},
	{cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
	{cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32},
	{cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
	{cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16},
	{cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
	{cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF},
	{cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

// runtime_format takes 1, 2 or 4 channels of equal size; three channels make no texel.
cudaError_t runtime_format(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned int *channels)
{
	const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
	unsigned int n = 0;
	while (n < 4 && bits[n] != 0 && bits[n] == bits[0])
		n++;
	for (unsigned int i = n; i < 4; i++)
		if (bits[i] != 0)
			return cudaErrorInvalidChannelDescriptor;
	for (int i = 0; i < FORMATS; i++)
		if (n > 0 && n != 3 && formats[i].kind == desc->f && formats[i].bits == bits[0]) {
			*format = formats[i].format;
			*channels = n;
			return cudaSuccess;
		}
	return cudaErrorInvalidChannelDescriptor;
}

static int find_format(CUarray_format format)
{
	for (int i = 0; i < FORMATS; i++)
		if (formats[i].format == format)
			return i;
	return -1;
}

size_t runtime_element_size(const CUDA_ARRAY3D_DESCRIPTOR *array)
{
	int i = find_format(array->Format);
	return i < 0 ? 0 : array->NumChannels * (formats[i].bits / 8);
}

// Arrays.

static cudaError_t make_array(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
	unsigned int flags)
{
	struct cudaChannelFormatDesc d;
	CUDA_ARRAY3D_DESCRIPTOR a = {.Width = extent.width, .Height = extent.height, .Depth = extent.depth};
	CUarray made;
	cudaError_t error = runtime_read(&d, desc, sizeof d);
	if (error == cudaSuccess)
		error = runtime_format(&d, &a.Format, &a.NumChannels);
	if (error != cudaSuccess)
		return error;
	a.Flags = CUDART_VERSION < 3010 ? 0 : flags; // programs before release 3.1 pass none
	CUresult result = driver.cuArray3DCreate(&made, &a);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	error = runtime_write(array, &made, sizeof made);
	if (error != cudaSuccess)
		driver.cuArrayDestroy(made);
	return error;
}

cudaError_t runtime_MallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
	size_t height, unsigned int flags)
{
	return make_array(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t runtime_Malloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
	struct cudaExtent extent, unsigned int flags)
{
	return make_array(array, desc, extent, flags);
}

cudaError_t runtime_FreeArray(cudaArray_t array)
{
	return array == NULL ? cudaSuccess : runtime_result(driver.cuArrayDestroy(array_of(array)));
}

// describe answers an array's channels and shape.
static cudaError_t describe(struct cudaChannelFormatDesc *desc, CUDA_ARRAY3D_DESCRIPTOR *a, cudaArray_const_t array)
{
	CUresult result = driver.cuArray3DGetDescriptor(a, array_of(array));
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	int i = find_format(a->Format), bits[4] = {0};
	if (i < 0)
		return cudaErrorInvalidChannelDescriptor;
	for (unsigned int k = 0; k < a->NumChannels && k < 4; k++)
		bits[k] = formats[i].bits;
	*desc = (struct cudaChannelFormatDesc){bits[0], bits[1], bits[2], bits[3], formats[i].kind};
	return cudaSuccess;
}

cudaError_t runtime_GetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
	struct cudaChannelFormatDesc d;
	CUDA_ARRAY3D_DESCRIPTOR a;
	cudaError_t error = describe(&d, &a, array);
	return error != cudaSuccess ? error : runtime_write(desc, &d, sizeof d);
}

#if CUDART_VERSION >= 4010
// runtime_ArrayGetInfo writes only to pointers that are not NULL.
cudaError_t runtime_ArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
	cudaArray_t array)
{
	struct cudaChannelFormatDesc d;
	CUDA_ARRAY3D_DESCRIPTOR a;
	cudaError_t error = describe(&d, &a, array);
	struct cudaExtent e = {a.Width, a.Height, a.Depth};
	if (error == cudaSuccess && desc != NULL)
		error = runtime_write(desc, &d, sizeof d);
	if (error == cudaSuccess && extent != NULL)
		error = runtime_write(extent, &e, sizeof e);
	if (error == cudaSuccess && flags != NULL)
		error = runtime_write(flags, &a.Flags, sizeof a.Flags);
	return error;
}
#endif

// Texture references.

// format gives the driver's reference the format of texels.
static cudaError_t format(struct loaded *l, const struct cudaChannelFormatDesc *desc)
{
	CUarray_format texels;
	unsigned int channels;
	cudaError_t error = runtime_format(desc, &texels, &channels);
	if (error != cudaSuccess)
		return error;
	l->integers = !l->symbol->normalized && desc->f != cudaChannelFormatKindFloat;
	l->bound = 1;
	return runtime_result(driver.cuTexRefSetFormat(l->texture, texels, (int)channels));
}

// prepare gives the driver's reference the format that the program describes.
static cudaError_t prepare(struct loaded **l, struct cudaChannelFormatDesc *d, const struct textureReference *texref,
	const struct cudaChannelFormatDesc *desc)
{
	cudaError_t error = runtime_load(l, SYMBOL_TEXTURE, texref, cudaErrorInvalidTexture);
	if (error == cudaSuccess)
		error = runtime_read(d, desc, sizeof *d);
	return error != cudaSuccess ? error : format(*l, d);
}

// address_mode returns the driver's mode. Up to release 2.0 a program may have been built when
// references had two modes: its memory at the third mode is another field. Unverified: the length
// of that field in 1.x; a header of that time would settle it.
static CUaddress_mode address_mode(enum cudaTextureAddressMode mode)
{
	if (CUDART_VERSION < 2010 && mode > cudaAddressModeBorder)
		return CU_TR_ADDRESS_MODE_CLAMP;
	return (CUaddress_mode)mode;
}

// The program may change the modes of its reference at any time, so each launch reads the modes, as
// in NVIDIA's library of release 4.2.
cudaError_t runtime_modes(struct loaded *l)
{
	struct textureReference t;
	cudaError_t error = runtime_read(&t, l->symbol->host, sizeof t);
	if (error != cudaSuccess || !l->bound)
		return error;
	struct modes m = {.known = 1, .filter = (CUfilter_mode)t.filterMode};
	m.flags = (l->integers ? CU_TRSF_READ_AS_INTEGER : 0) | (t.normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0);
	for (int i = 0; i < 3; i++)
		m.address[i] = address_mode(t.addressMode[i]);
	if (memcmp(&m, &l->modes, sizeof m) == 0)
		return cudaSuccess;
	CUresult result = driver.cuTexRefSetFlags(l->texture, m.flags);
	if (result == CUDA_SUCCESS)
		result = driver.cuTexRefSetFilterMode(l->texture, m.filter);
	for (int i = 0; i < 3 && result == CUDA_SUCCESS; i++)
		result = driver.cuTexRefSetAddressMode(l->texture, i, m.address[i]);
	if (result == CUDA_SUCCESS)
		l->modes = m;
	return runtime_result(result);
}

// bound remembers the offset of a binding to memory and gives it to the program. Without a pointer
// for the offset, the offset must be 0.
static cudaError_t bound(struct loaded *l, size_t offset, size_t *program)
{
	l->in_memory = 1;
	l->offset = offset;
	if (program == NULL)
		return offset == 0 ? cudaSuccess : cudaErrorInvalidValue;
	return runtime_write(program, &offset, sizeof offset);
}

cudaError_t runtime_BindTexture(size_t *offset, const struct textureReference *texref, const void *devPtr,
	const struct cudaChannelFormatDesc *desc, size_t size)
{
	struct loaded *l;
	struct cudaChannelFormatDesc d;
	CUdeviceptr start;
	size_t at = 0, bytes;
	cudaError_t error = prepare(&l, &d, texref, desc);
	if (error != cudaSuccess)
		return error;
	// A size beyond the allocation means the whole allocation: UINT_MAX is the default of programs.
	CUresult result = driver.cuMemGetAddressRange(&start, &bytes, device_pointer(devPtr));
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	bytes -= device_pointer(devPtr) - start;
	if (size < bytes)
		bytes = size;
	result = driver.cuTexRefSetAddress(&at, l->texture, device_pointer(devPtr), bytes);
	return result != CUDA_SUCCESS ? runtime_result(result) : bound(l, at, offset);
}

cudaError_t runtime_BindTexture2D(size_t *offset, const struct textureReference *texref, const void *devPtr,
	const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
	struct loaded *l;
	struct cudaChannelFormatDesc d;
	CUdevice device;
	int alignment = 256;
	cudaError_t error = prepare(&l, &d, texref, desc);
	if (error != cudaSuccess)
		return error;
	CUDA_ARRAY_DESCRIPTOR a = {.Width = width, .Height = height};
	error = runtime_format(&d, &a.Format, &a.NumChannels);
	if (error != cudaSuccess)
		return error;
	// The driver requires an aligned address; the program gets the rest as an offset.
	if (driver.cuCtxGetDevice(&device) == CUDA_SUCCESS)
		driver.cuDeviceGetAttribute(&alignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, device);
	size_t at = (uintptr_t)devPtr & ((size_t)alignment - 1);
	// Rows begin earlier by the offset, and the program adds the offset to its coordinates.
	size_t texel = (size_t)(d.x + d.y + d.z + d.w) / 8;
	a.Width += at / texel;
	if (a.Width > pitch / texel && width <= pitch / texel)
		a.Width = pitch / texel;
	CUresult result = driver.cuTexRefSetAddress2D(l->texture, &a, device_pointer(devPtr) - at, pitch);
	return result != CUDA_SUCCESS ? runtime_result(result) : bound(l, at, offset);
}

cudaError_t runtime_BindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
	const struct cudaChannelFormatDesc *desc)
{
	struct loaded *l;
	struct cudaChannelFormatDesc d;
	CUDA_ARRAY3D_DESCRIPTOR a;
	cudaError_t error = runtime_load(&l, SYMBOL_TEXTURE, texref, cudaErrorInvalidTexture);
	if (error == cudaSuccess)
		error = desc != NULL ? runtime_read(&d, desc, sizeof d) : describe(&d, &a, array);
	if (error != cudaSuccess)
		return error;
	CUresult result = driver.cuTexRefSetArray(l->texture, array_of(array), CU_TRSA_OVERRIDE_FORMAT);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	l->in_memory = 0;
	return format(l, &d);
}

// runtime_UnbindTexture does not change the driver's reference: fetches of an unbound texture are
// not defined.
cudaError_t runtime_UnbindTexture(const struct textureReference *texref)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_TEXTURE, texref, cudaErrorInvalidTexture);
	if (error == cudaSuccess)
		l->in_memory = 0;
	return error;
}

cudaError_t runtime_GetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_TEXTURE, texref, cudaErrorInvalidTexture);
	if (error == cudaSuccess && !l->in_memory)
		error = cudaErrorInvalidTextureBinding;
	return error != cudaSuccess ? error : runtime_write(offset, &l->offset, sizeof l->offset);
}

cudaError_t runtime_GetTextureReference(const struct textureReference **texref, const void *symbol)
{
	const struct symbol *s = runtime_find(SYMBOL_TEXTURE, symbol);
	return s == NULL ? cudaErrorInvalidTexture : runtime_write(texref, &s->host, sizeof s->host);
}

#if CUDART_VERSION >= 3010
cudaError_t runtime_BindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
	const struct cudaChannelFormatDesc *desc)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_SURFACE, surfref, runtime_error(cudaErrorInvalidSurface));
	(void)desc; // the array's own
	return error != cudaSuccess ? error : runtime_result(driver.cuSurfRefSetArray(l->surface, array_of(array), 0));
}

cudaError_t runtime_GetSurfaceReference(const struct surfaceReference **surfref, const void *symbol)
{
	const struct symbol *s = runtime_find(SYMBOL_SURFACE, symbol);
	return s == NULL ? runtime_error(cudaErrorInvalidSurface) : runtime_write(surfref, &s->host, sizeof s->host);
}
#endif
