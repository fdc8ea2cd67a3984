package bind

import "path/filepath"

// SystemLibrary returns the libcuda.so.1 that programs of lib's kind find without the simulator: on
// libraryPath (LD_LIBRARY_PATH), or in the loader's own folders; "" if there is none.
func SystemLibrary(lib *Library, libraryPath string) string {
	s := newSearch(&program{class: lib.class, machine: lib.machine}, Environment{LibraryPath: libraryPath})
	var files []string
	for _, dir := range s.env {
		files = append(files, filepath.Join(dir, SoName))
	}
	files = append(files, s.cache[SoName]...)
	for _, dir := range s.system {
		files = append(files, filepath.Join(dir, SoName))
	}
	for _, path := range files {
		if s.fits(path) && !isSimulator(path) {
			return path
		}
	}
	return ""
}
