package outfile

import "os"

// lock succeeds: a browser's program has no other that writes its files.
func lock(*os.File) error { return nil }
