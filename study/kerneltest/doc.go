// Package kerneltest reads test.json files: one kernel with its launch shape, inputs and expected
// results, and the builds that must all give those results. testdata/mesa-kernels/README.md describes
// the format.
//
// [Load] reads a file strictly, so that no slip in it passes for a result. [Test.Image] loads a
// build's cubin and checks it against the file, [Test.ParamBlock] lays out the parameters and
// [Compare] judges a buffer after the launch. The caller launches: the package knows no device.
package kerneltest
