// Package kernels has no code of its own: its tests run whole kernels, from the cubin to the words
// left in memory.
//
// mesa_test.go runs every build of testdata/mesa-kernels on every architecture that can run it.
// corpus_test.go runs the third-party cubins of testdata/corpus, if they are beside the repository.
// containers_test.go runs the kernels of mesa_test.go through the driver, as ELF cubins and fat
// binaries. launch_test.go makes launches of images. stats_test.go and traces_test.go compare the
// counts of a launch with other settings of the host, and with traces. engines_test.go compares the
// engines on all of them.
package kernels
