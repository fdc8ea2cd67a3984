package main

// sdk lists the console programs of the GPU Computing SDK 4.2.9 that need no library. These
// programs check themselves, and their Makefiles name their sources.
func sdk() *suite {
	s := &suite{
		name: "sdk", title: "the GPU Computing SDK 4.2: has C/src, C/common and shared",
		options: list("-O2 -I. -I@C/common/inc -I@shared/inc -lcuda -Xcompiler -pthread"),
		common:  append(cutil("@"), list("@C/common/src/multithreading.cpp @shared/src/shrUtils.cpp")...),
	}
	required := list(`vectorAdd template simpleTemplates asyncAPI clock alignedTypes scalarProd
		transpose sortingNetworks scan reduction fastWalshTransform convolutionSeparable dwtHaar1D
		BlackScholes binomialOptions quasirandomGenerator mergeSort simpleTexture
		simplePitchLinearTexture simpleStreams simpleZeroCopy`)
	others := list(`bandwidthTest concurrentKernels convolutionTexture cppIntegration dct8x8
		deviceQuery deviceQueryDrv dxtc eigenvalues FDTD3d histogram HSOpticalFlow inlinePTX
		Interval matrixMulDrv matrixMulDynlinkJIT MonteCarlo newdelete ptxjit simpleAssert
		simpleAtomicIntrinsics simpleCubemapTexture simpleLayeredTexture simpleMultiCopy
		simpleMultiGPU simpleP2P simplePrintf simpleSurfaceWrite simpleTextureDrv
		simpleVoteIntrinsics SobolQRNG threadFenceReduction threadMigration vectorAddDrv`)
	for i, name := range append(required, others...) {
		p := &program{name: name, required: i < len(required), dir: "C/src/" + name, proof: verdict()}
		p.special()
		s.programs = append(s.programs, p)
	}
	return s
}

// special sets further needs of some programs of the SDK.
func (p *program) special() {
	switch p.name {
	case "dct8x8", "dwtHaar1D", "eigenvalues", "HSOpticalFlow", "matrixMulDrv", "simpleSurfaceWrite",
		"simpleTexture", "simpleTextureDrv", "threadMigration", "vectorAddDrv":
		p.files = list("data")
	case "dxtc": // lanes read each other's variables, which are not volatile
		p.files, p.options = list("data"), list("-G")
	case "FDTD3d":
		p.options = list("-Iinc")
	case "clock": // says PASSED for any measured time
		p.proof = both(p.proof, number("time =", 0, 1e9))
	case "simplePrintf": // does not check its kernel's output
		p.proof = both(p.proof, says("Value is:10"))
	}
}

// cutil are the sources of the SDK's helpers, without those for drawing.
func cutil(folder string) (sources []string) {
	for _, name := range list("cutil stopwatch stopwatch_linux cmd_arg_reader bank_checker") {
		sources = append(sources, folder+"C/common/src/"+name+".cpp")
	}
	return sources
}
