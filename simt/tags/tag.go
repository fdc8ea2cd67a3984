package tags

// Tag is what is known of a register of a warp: of the lanes that have not ended.
type Tag uint8

// The tags, from what says most to what says least. Each holds of what the one before holds of.
const (
	// Uniform registers hold one value in all lanes.
	Uniform Tag = iota

	// Split registers hold in their upper half one value, and in their lower half b + s*l in lane
	// l, for some b and s and without wrapping, below 2^15. The packed thread index is one.
	Split

	// Affine registers hold b + s*l in lane l, modulo 2^32.
	Affine

	// Unknown is any other.
	Unknown
)

// join returns what is known of both.
func join(list ...Tag) Tag {
	t := Uniform
	for _, x := range list {
		t = max(t, x)
	}
	return t
}

// uniformOr returns Uniform if all tags are, else Unknown: the rule of every operation without a
// better one, whose lanes do the same with the same.
func uniformOr(list ...Tag) Tag {
	if join(list...) == Uniform {
		return Uniform
	}
	return Unknown
}
