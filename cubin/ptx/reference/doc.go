// Package reference interprets PTX, simply and slowly, as a second opinion on what a compiler of PTX
// makes of a kernel. Its arithmetic follows the definitions of the PTX ISA and shares nothing with
// the simulator.
package reference
