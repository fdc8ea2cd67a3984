package bind

import (
	"path/filepath"
)

// SystemLibrary returns the libcuda.so.1 that programs of lib's kind find where the simulator is not: on libraryPath, which
// is LD_LIBRARY_PATH, or where the loader looks by itself; "" if there is none.
func SystemLibrary(lib *Library, libraryPath string) string {
	s := newSearch(&program{class: lib.class, machine: lib.machine}, libraryPath)
	for _, dir := range append(s.env, s.system...) {
		if path := filepath.Join(dir, SoName); s.fits(path) && !isSimulator(path) {
			return path
		}
	}
	return ""
}
