package bench

import (
	"embed"

	"jacquard/simt/mem/texture"
)

// kernels has machine code for sm_13, copies of testdata/mesa-kernels, and as PTX the programs in
// small: kernels that behave like the slow ones of real programs. Each computes something that a
// test checks.
//
//go:embed kernels/*.ptx kernels/*.cubin
var kernels embed.FS

// Shapes of the programs in small.
const (
	histogramBlocks, histogramThreads = 88, 192 // the kernel contains its threads
	histogramWords                    = 2 * histogramBlocks * histogramThreads
	bitonicBlocks, bitonicKeys        = 64, 512
	bitonicWords                      = bitonicBlocks * bitonicKeys
	bisectionBlocks, bisectionOrder   = 16, 128
	bisectionWords                    = bisectionBlocks * bisectionOrder
	textureWidth, textureHeight       = 512, 256
	intervalNumbers                   = 64 * 64
	accessBlocks, accessThreads       = 64, 256
	accesses                          = 8 * accessBlocks * accessThreads
	launchesEach, launchesNumbers     = 1000, 64
)

// oneBlock is the workload whose launches have one block. A second worker has nothing to do.
const oneBlock = "launches"

// inSmall returns a program in small.
func inSmall(name string, grid [2]int, block [2]int, params ...param) Workload {
	return Workload{
		Name: name, Grid: grid, Block: [3]int{block[0], block[1], 1}, params: params, small: true,
	}
}

// smallWorkloads lists the programs in small, each with a similar program of NVIDIA's SDK.
func smallWorkloads() []Workload {
	line := func(n int) [2]int { return [2]int{n, 1} }
	words := func(n int) param { return buffer(random(n, 1<<31)) }
	// histogram256Kernel of histogram
	histogram := inSmall("histogram", line(histogramBlocks), line(histogramThreads),
		buffer(skewed), output(histogramBlocks*256), word(histogramWords))
	// bitonicSortShared of sortingNetworks
	bitonic := inSmall("bitonic", line(bitonicBlocks), line(bitonicKeys/2),
		buffer(random(bitonicWords, 1<<16)), words(bitonicWords),
		output(bitonicWords), output(bitonicWords))
	// the kernels of eigenvalues; Gershgorin's circles are within -9 and 9
	bisection := inSmall("bisection", line(bisectionBlocks), line(bisectionOrder),
		buffer(randomFloats(bisectionWords, 5)), buffer(randomFloats(bisectionWords, 2)),
		output(bisectionWords), float(-9), float(9))
	// convolutionRowsKernel of convolutionTexture
	tiles := [2]int{textureWidth / 16, textureHeight / 16}
	convolution := inSmall("textureconv", tiles, [2]int{16, 16},
		output(textureWidth*textureHeight), word(textureWidth))
	convolution.textures = picture
	// the kernel of Interval
	intervals := inSmall("intervals", line(intervalNumbers/64), line(64),
		buffer(oneToEight), output(4*intervalNumbers))
	// testKernel of alignedTypes, for aligned types and for others
	wide := inSmall("wide", line(accessBlocks), line(accessThreads),
		words(8*accesses), words(2*accesses), output(8*accesses), output(2*accesses), word(accesses))
	misaligned := inSmall("misaligned", line(accessBlocks), line(accessThreads),
		words(2*accesses), words(accesses/4), words(accesses/2),
		output(accesses+1), output(accesses/4), output(accesses/2+1), word(accesses))
	// programs that launch thousands of times, such as lineOfSight and HSOpticalFlow
	launches := inSmall(oneBlock, line(1), line(launchesNumbers),
		buffer(random(launchesNumbers, 1<<16)), output(launchesNumbers))
	launches.launches = launchesEach
	return []Workload{
		histogram, bitonic, bisection, convolution, intervals, wide, misaligned, launches,
	}
}

// skewed makes words of bytes: random ones for half of the blocks, one of eight for the others.
func skewed() []uint32 {
	w := random(histogramWords, 1<<31)()
	for i := range w {
		if i/histogramThreads%2 == 1 {
			w[i] &= 0x07070707
		}
	}
	return w
}

// oneToEight makes numbers between 1 and 8.
func oneToEight() []uint32 {
	w := random(intervalNumbers, 1<<23)()
	for i := range w {
		const one, exponent = 0x3f800000, 23
		w[i] += one + uint32(i%3)<<exponent
	}
	return w
}

// picture makes the texture of textureconv.
func picture() []texture.Texture {
	return []texture.Texture{{
		Kind: texture.Array, Format: texture.FormatF32, Channels: 1,
		Width: textureWidth, Height: textureHeight,
		Sampler: texture.Sampler{Address: [3]texture.AddressMode{texture.Clamp, texture.Clamp}},
		Texels:  bytesOf(randomFloats(textureWidth*textureHeight, 1)()),
	}}
}
