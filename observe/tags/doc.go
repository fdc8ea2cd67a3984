// Package tags counts uniform and affine operands: registers of a warp that hold one value in all
// lanes, or values that rise by the same step from lane to lane.
//
// The package does not look at values. Each register has a [Tag] that follows from the tags of the
// operands by the rules in rules.go, as hardware could carry it: Collange, Defour, Zhang, "Dynamic
// detection of uniform and affine vectors in GPGPU computations" (2009). The counts are lower
// bounds, and the same on every host.
//
// Read state.go for tags and the tags of a warp, rules.go, and recorder.go, which counts.
package tags
