// Package costs counts, on request, what control and memory would cost a machine in ways that papers
// describe. It changes nothing of a launch, and a launch that is not asked pays nothing.
//
//   - The stack of a warp that is deeper than its cache: "Stack-less SIMT reconvergence at low cost"
//     (Collange 2011), section 2.2.
//   - Accesses that are issued again for lanes that were not served, in the order of pcs: section 4.2
//     there.
//   - The arbiter that chooses a pc, or an address, for a warp: section 4.3 there.
//
// Read costs.go, which watches a launch, then stack.go and lines.go.
package costs
