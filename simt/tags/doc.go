// Package tags counts uniform and affine operands: those registers of a warp that hold one value in all
// lanes, or values that go up by the same from lane to lane.
//
// Nobody looks at values. Each register has a [Tag] that follows from those of the operands by the rules in
// rules.go, as hardware could carry it: Collange, Defour, Zhang, "Dynamic detection of uniform and affine
// vectors in GPGPU computations" (2009). What is counted is a lower bound of what is there, and the same
// whatever the host is.
//
// Read tag.go, then rules.go; state.go has the tags of a warp, recorder.go counts.
package tags
