// Package fatbinary puts machine code and PTX of one module into a fat binary, under the command
// line of NVIDIA's fatbinary.
//
// Reading order: options.go, fatbinary.go, embed.go.
package fatbinary
