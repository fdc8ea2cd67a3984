package driver

// Surface references have a kind of handle, but there are none.

// ModuleGetSurfRef answers ErrNotFound: no module for this hardware has surfaces.
func (t *Thread) ModuleGetSurfRef(m Module, _ string) (uintptr, error) {
	return named(t, m, func(*module) (uintptr, bool) { return 0, false })
}
