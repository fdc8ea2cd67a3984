package sweep

import (
	"os"
	"syscall"
)

// leastRoom is the room below which a disk counts as full: files of a cell may be cut short.
const leastRoom = 64 << 10

// full reports whether the disk of a folder is full.
func full(path string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return false
	}
	return s.Blocks > 0 && uint64(s.Bavail)*uint64(s.Bsize) < leastRoom
}

// tooLong reports whether a file has as many bytes as this process and its children may write.
func tooLong(path string) bool {
	var most syscall.Rlimit
	info, err := os.Stat(path)
	return err == nil && syscall.Getrlimit(syscall.RLIMIT_FSIZE, &most) == nil && uint64(info.Size()) >= uint64(most.Cur)
}
