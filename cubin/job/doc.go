// Package job reads test.json files: one kernel with its launch shape, inputs and expected results,
// and the builds of it that must all give those results. testdata/mesa-kernels/README.md describes
// the format.
//
// [Load] reads a file strictly, so that a slip in it cannot pass for a result. [Test.Image] loads a
// build's cubin and checks it against what the file says of it, [Test.ParamBlock] lays out the
// parameters and [Compare] judges a buffer after the launch. The launch itself is the caller's:
// nothing here knows a device.
package job
