// Package kernels holds the machine code of the kernels in this folder for programs that
// need some at hand, such as the benchmark.
package kernels

import "embed"

// SM13 holds NAME/sm_13.cubin for every kernel.
//
//go:embed */sm_13.cubin
var SM13 embed.FS
