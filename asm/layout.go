package asm

// Sizes chooses the length of every instruction with a short and a long form.
type Sizes uint8

const (
	// Pairs makes two consecutive instructions short if no label is between them. Long instructions
	// are then at even words.
	Pairs Sizes = iota
	Long        // makes all instructions long that can be
)

var sizeNames = [...]string{Pairs: "pairs", Long: "long"}

// item is an instruction without an address.
type item struct {
	choice
	raw    []uint32 // words instead of encodings to choose from
	forced uint8    // size that the text requires, 0 for none
	label  bool     // a label leads to it
}

// short reports whether the item can have four bytes.
func (x *item) canBeShort() bool {
	if x.raw != nil {
		return len(x.raw) == 1
	}
	return x.short.ok && x.forced != 8
}

// size returns the bytes of an item at a word of the code; next is the next item, or nil.
func (s Sizes) size(x, next *item, word int) uint8 {
	switch {
	case x.raw != nil:
		return uint8(4 * len(x.raw))
	case x.forced != 0:
		return x.forced
	case !x.long.ok:
		return 4
	case !x.short.ok:
		return 8
	case word%2 != 0:
		return 4
	case s == Pairs && next != nil && next.canBeShort() && !next.label:
		return 4
	}
	return 8
}
