package cache

import (
	"math"
	"path/filepath"
	"strconv"
)

// Settings say where a cache is and how large it may grow. The zero value is no cache.
type Settings struct {
	Dir      string // "" for no cache
	MaxBytes int64  // of all entries
}

// DefaultBytes is the limit of a cache without CUDA_CACHE_MAXSIZE.
const DefaultBytes = 256 << 20

// folder is the cache's own folder in one that programs may share.
const folder = "jacquard-ptx"

// From reads the settings of the environment, which lookup reads as os.LookupEnv does:
// CUDA_CACHE_DISABLE=1 is no cache, CUDA_CACHE_PATH a folder to use instead of the user's cache
// folder, CUDA_CACHE_MAXSIZE a number of bytes. Without a home there is no cache.
func From(lookup func(string) (string, bool)) Settings {
	if off, _ := lookup("CUDA_CACHE_DISABLE"); off == "1" {
		return Settings{}
	}
	s := Settings{Dir: dir(lookup), MaxBytes: DefaultBytes}
	if text, given := lookup("CUDA_CACHE_MAXSIZE"); given {
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			s.MaxBytes = int64(min(n, math.MaxInt64))
		}
	}
	if s.Dir == "" || s.MaxBytes == 0 {
		return Settings{}
	}
	return s
}

// dir returns the folder of the cache, "" if there is no place for one.
func dir(lookup func(string) (string, bool)) string {
	if path, _ := lookup("CUDA_CACHE_PATH"); path != "" {
		path, err := filepath.Abs(path)
		if err != nil {
			return ""
		}
		return filepath.Join(path, folder)
	}
	if path, _ := lookup("XDG_CACHE_HOME"); filepath.IsAbs(path) {
		return filepath.Join(path, folder)
	}
	if home, _ := lookup("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache", folder)
	}
	return ""
}
