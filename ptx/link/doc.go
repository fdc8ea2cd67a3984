// Package link makes one PTX module of several, as a linker does before the code generator runs.
//
// Names that one module declares as extern are resolved by definitions of other modules. Names that
// are neither visible nor weak stay their module's own. Modules that are linked are used up: the
// result shares their trees.
//
// Reading order: link.go (the modules), symbols.go (which definition a name stands for), rewrite.go
// (bodies and initial contents), unresolved.go (externs that nothing defines).
package link
