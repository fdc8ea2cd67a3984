package library

// What tests see besides: tests compile functions, and the compiler imports this package.
const Header = header

var (
	Text     = text
	Families = families
	Files    = files
	Expand   = expand
	PartEnd  = partEnd
	Others   = others
)
