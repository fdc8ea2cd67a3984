// Package kernels has no code of its own: its tests run whole kernels, from the cubin to the words left in memory.
//
// mesa_test.go runs every build of testdata/mesa-kernels on every architecture that can run it; corpus_test.go runs
// the third-party cubins that testdata/corpus describes, if they lie beside the repository. containers_test.go runs the
// former through the driver, as ELF cubins and fat binaries. launch_test.go is the
// way from an image to a launch that both take. stats_test.go, traces_test.go and tags_test.go hold what launches count against
// other settings of the host, against traces and against the values of registers.
package kernels
