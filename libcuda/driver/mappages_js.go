package driver

// mapPages has no memory: a browser's program is no host program, which alone asks for pages.
func mapPages(int) ([]byte, error) { return nil, ErrNotSupported }

func unmapPages([]byte) error { return nil }
