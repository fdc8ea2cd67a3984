/*
 * The release of the toolkit's cuda.h: "make toolkit" puts this file before the driver's header.
 * Clang reads the first number after CUDA_VERSION, without a preprocessor.
 */
#if !defined(CUDA_VERSION) && !defined(CUDA_FORCE_API_VERSION)
#define CUDA_VERSION 10000
#endif
