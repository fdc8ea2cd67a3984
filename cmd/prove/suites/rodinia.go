package main

// rodinia lists the programs of Rodinia 3.1 whose results can be judged; the others must compile.
// Rodinia's data are not in the repository, so inputs are made here.
func rodinia() *suite {
	s := &suite{
		name: "rodinia", title: "Rodinia 3.1: has cuda and openmp",
		options: list("-O2 -I."),
		programs: []*program{
			{
				name: "lud", dir: "cuda/lud/cuda", sources: list("lud.cu lud_kernel.cu ../common/common.c"),
				options: list("-I../common"), args: list("-s 64 -v"),
				proof: lacks("dismatch", ">>>Verify<<<<"),
			}, {
				name: "hotspot3D", sources: list("3D.cu"),
				inputs: grids(64 * 64 * 8), args: list("64 8 10 P T out"),
				proof: number("Accuracy:", -1, 1e-3),
			}, {
				name: "hotspot", sources: list("hotspot.cu"),
				inputs: grids(64 * 64), args: list("64 2 4 T P out"),
				host: &host{
					dir: "openmp/hotspot", sources: list("hotspot_openmp.cpp"),
					args: list("64 64 4 1 T P out"),
				},
				proof: both(writesAsHost("out", floats), heats(64, 4)),
			}, {
				name: "huffman", sources: list("main_test_cu.cu cpuencode.cpp stats_logger.cpp"),
				inputs: words("text", 6*16*1024), args: list("text"), // whole blocks, 16 together
				proof: says("PASS! vectors are matching!"),
			}, {
				name: "hybridsort", sources: list("bucketsort.cu mergesort.cu main.cu"),
				options: list("-DVERIFY"), empty: list("GL/glew.h GL/glut.h"), args: list("r"),
				proof: says("PASSED."),
			}, {
				name: "bfs", sources: list("bfs.cu"),
				inputs: graph("graph.txt", 4096), args: list("graph.txt"),
				host:  &host{dir: "openmp/bfs", sources: list("bfs.cpp"), args: list("1 graph.txt")},
				proof: writesAsHost("result.txt", tolerance{}),
			}, {
				name: "nw", sources: list("needle.cu"), options: list("-DTRACEBACK"), args: list("128 10"),
				host:  &host{dir: "openmp/nw", sources: list("needle.cpp"), args: list("128 10 1")},
				proof: writesAsHost("result.txt", tolerance{}),
			}, {
				name: "pathfinder", sources: list("pathfinder.cu"),
				options: list("-DBENCH_PRINT"), args: list("2000 20 5"),
				host: &host{
					dir: "openmp/pathfinder", sources: list("pathfinder.cpp"), args: list("2000 20"),
				},
				proof: printsAsHost(lastLine, tolerance{}),
			}, {
				name: "srad_v2", dir: "cuda/srad/srad_v2", sources: list("srad.cu"),
				options: list("-DOUTPUT"), margin: true, args: list("128 128 0 31 0 31 0.5 2"),
				host: &host{
					dir: "openmp/srad/srad_v2", sources: list("srad.cpp"), options: list("-DOUTPUT"),
					args: list("128 128 0 31 0 31 1 0.5 2"),
				},
				proof: printsAsHost(
					without("Printing Output:", between("main loop", "Computation Done")), floats),
			}, {
				name: "srad_v1", dir: "cuda/srad/srad_v1", sources: list("main.cu"), at: "a/b/c",
				inputs: picture("../../../data/srad/image.pgm", 458, 502), args: list("2 0.5 502 458"),
				host: &host{
					dir: "openmp/srad/srad_v1", sources: list("main.c"), args: list("2 0.5 502 458 1"),
				},
				proof: writesAsHost("image_out.pgm", tolerance{absolute: 1}),
			}, {
				name: "streamcluster",
				sources: list(
					"streamcluster_cuda_cpu.cpp streamcluster_cuda.cu streamcluster_header.cu"),
				args:  list("10 20 32 1024 1024 100 none out 1"),
				host:  &host{dir: "openmp/streamcluster", sources: list("streamcluster_omp.cpp")},
				proof: writesAsHost("out", floats),
			}, {
				name: "gaussian", sources: list("gaussian.cu"),
				options: list("-include @own/gaussian.h"), args: list("-s 64"), proof: solves(64),
			}, {
				name: "nn", sources: list("nn_cuda.cu"),
				inputs: hurricanes("fl", 4, 1000), args: list("fl -r 5 -lat 30 -lng 90"),
				host:  &host{dir: "openmp/nn", sources: list("nn_openmp.c"), args: list("fl 5 30 90")},
				proof: printsAsHost(sortedLines("-->", "Distance="), floats),
			}, {
				name: "mummergpu", dir: "cuda/mummergpu/src",
				sources: list("mummergpu.cu mummergpu_main.cpp mummergpu_gold.cpp" +
					" suffix-tree.cpp PoolMalloc.cpp"),
				options: list("-include unistd.h -O0 -lcuda -Xcompiler -fopenmp"),
				inputs:  reads("ref.fa", "qry.fa"), args: list("ref.fa qry.fa"),
				proof: printsAsWith("-C", matches, tolerance{}),
			},
		},
	}
	for _, p := range s.programs {
		p.required = true
	}
	s.programs = append(s.programs, unjudged()...)
	for _, p := range s.programs {
		if p.dir == "" {
			p.dir = "cuda/" + p.name
		}
	}
	return s
}

// unjudged lists the programs that print no result that can be checked, take their seeds from the
// clock, or need inputs that are not in the repository.
func unjudged() []*program {
	programs := []*program{
		{name: "backprop", sources: list("backprop_cuda.cu")},
		{name: "b+tree", sources: list(
			"kernel/kernel_gpu_cuda_wrapper.cu kernel/kernel_gpu_cuda_wrapper_2.cu")},
		{name: "cfd", options: list("-I../hybridsort"), sources: list(
			"euler3d.cu euler3d_double.cu pre_euler3d.cu pre_euler3d_double.cu")},
		{name: "dwt2d", sources: list("components.cu dwt.cu main.cu dwt_cuda/common.cu" +
			" dwt_cuda/fdwt53.cu dwt_cuda/fdwt97.cu dwt_cuda/rdwt53.cu dwt_cuda/rdwt97.cu")},
		{name: "heartwall", sources: list("main.cu"), options: list("-IAVI")},
		{name: "kmeans", sources: list("kmeans_cuda.cu")},
		{name: "lavaMD", sources: list("kernel/kernel_gpu_cuda_wrapper.cu")},
		{name: "leukocyte", dir: "cuda/leukocyte/CUDA", options: list("-I../meschach_lib"),
			sources: list("find_ellipse_kernel.cu track_ellipse_kernel.cu")},
		{name: "myocyte", sources: list("main.cu")},
		{name: "particlefilter", sources: list(
			"ex_particle_CUDA_naive_seq.cu ex_particle_CUDA_float_seq.cu")},
	}
	for _, p := range programs {
		p.proof = compiles()
	}
	return programs
}
