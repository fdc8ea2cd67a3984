// Package kernels has no code of its own: its tests run whole kernels, from the cubin to the words
// left in memory.
//
// mesa_test.go runs every build of testdata/mesa-kernels on every architecture that can run it.
// corpus_test.go runs the third-party cubins of testdata/corpus, if they lie beside the repository.
// containers_test.go runs the kernels of mesa_test.go through the driver, as ELF cubins and fat
// binaries. launch_test.go is the common way from an image to a launch. stats_test.go,
// traces_test.go and tags_test.go compare the counts of a launch with other settings of the host,
// with traces and with the values of registers.
package kernels
