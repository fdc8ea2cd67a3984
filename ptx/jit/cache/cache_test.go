package cache

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFrom(t *testing.T) {
	here, err := filepath.Abs("here")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		env  map[string]string
		want Settings
	}{
		"a home":                   {map[string]string{"HOME": "/h"}, Settings{"/h/.cache/jacquard-ptx", DefaultBytes}},
		"a cache folder":           {map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "/x"}, Settings{"/x/jacquard-ptx", DefaultBytes}},
		"a relative cache folder":  {map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "x"}, Settings{"/h/.cache/jacquard-ptx", DefaultBytes}},
		"a path":                   {map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "/x", "CUDA_CACHE_PATH": "/c"}, Settings{"/c/jacquard-ptx", DefaultBytes}},
		"a relative path":          {map[string]string{"CUDA_CACHE_PATH": "here"}, Settings{here + "/jacquard-ptx", DefaultBytes}},
		"a size":                   {map[string]string{"HOME": "/h", "CUDA_CACHE_MAXSIZE": "1000"}, Settings{"/h/.cache/jacquard-ptx", 1000}},
		"a size that is too large": {map[string]string{"HOME": "/h", "CUDA_CACHE_MAXSIZE": "18446744073709551615"}, Settings{"/h/.cache/jacquard-ptx", math.MaxInt64}},
		"a bad size":               {map[string]string{"HOME": "/h", "CUDA_CACHE_MAXSIZE": "-5"}, Settings{"/h/.cache/jacquard-ptx", DefaultBytes}},
		"a size of nothing":        {map[string]string{"HOME": "/h", "CUDA_CACHE_MAXSIZE": "0"}, Settings{}},
		"off":                      {map[string]string{"HOME": "/h", "CUDA_CACHE_DISABLE": "1"}, Settings{}},
		"not off":                  {map[string]string{"HOME": "/h", "CUDA_CACHE_DISABLE": "0"}, Settings{"/h/.cache/jacquard-ptx", DefaultBytes}},
		"no home":                  {nil, Settings{}},
		"a relative home":          {map[string]string{"HOME": "h"}, Settings{}},
	} {
		got := From(func(key string) (string, bool) { v, ok := c.env[key]; return v, ok })
		require.Equal(t, c.want, got, name)
	}
}

// open returns a cache in a new folder.
func open(t *testing.T, limit int64) *Cache {
	t.Helper()
	return Open(Settings{filepath.Join(t.TempDir(), "a", "b"), limit})
}

func missing(t *testing.T, c *Cache, k Key) {
	t.Helper()
	_, ok := c.Get(k)
	require.False(t, ok)
}

func has(t *testing.T, c *Cache, k Key, want []byte) {
	t.Helper()
	got, ok := c.Get(k)
	require.True(t, ok)
	require.Equal(t, want, got)
}

func TestGetAndPut(t *testing.T) {
	c := open(t, 1<<20)
	k := NewKey([]byte("text"), []byte("options"))
	require.NotEqual(t, k, NewKey([]byte("texto"), []byte("ptions")))
	missing(t, c, k)
	c.Put(k, []byte("code"))
	has(t, c, k, []byte("code"))
	c.Put(k, []byte("other code"))
	has(t, c, k, []byte("other code"))
	c.Put(NewKey(), nil)
	has(t, c, NewKey(), []byte{})
	info, err := os.Stat(c.path(k))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}

func TestNoCache(t *testing.T) {
	for _, c := range []*Cache{nil, Open(Settings{}), Open(Settings{Dir: t.TempDir()}), Open(Settings{Dir: "/dev/null/x", MaxBytes: 1000}), Open(Settings{Dir: "/proc/self", MaxBytes: 1000})} {
		c.Put(NewKey(), []byte("code"))
		missing(t, c, NewKey())
	}
}

// TestDamage changes an entry in every way that a disk or another program could.
func TestDamage(t *testing.T) {
	c := open(t, 1<<20)
	k := NewKey([]byte("x"))
	c.Put(k, []byte("some code"))
	whole, err := os.ReadFile(c.path(k))
	require.NoError(t, err)
	spoil := func(what string, file []byte) {
		require.NoError(t, os.WriteFile(c.path(k), file, 0o600))
		missing(t, c, k)
		require.NoFileExists(t, c.path(k), what)
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 0x10
		spoil(fmt.Sprint("changed byte ", i), changed)
		spoil(fmt.Sprint("cut off at ", i), whole[:i])
	}
	spoil("longer", append(bytes.Clone(whole), 0))
	other := NewKey([]byte("y"))
	c.Put(other, []byte("other"))
	wrong, err := os.ReadFile(c.path(other))
	require.NoError(t, err)
	spoil("another's", wrong)
	c.Put(k, []byte("some code"))
	has(t, c, k, []byte("some code"))
}

// TestStrangeFiles puts things at the place of an entry that must not be read.
func TestStrangeFiles(t *testing.T) {
	c := open(t, 1000)
	k := NewKey()
	c.Put(k, []byte("code"))
	whole, err := os.ReadFile(c.path(k))
	require.NoError(t, err)
	replace := func(put func() error) {
		require.NoError(t, os.RemoveAll(c.path(k)))
		require.NoError(t, put())
		missing(t, c, k)
	}
	replace(func() error { return syscall.Mkfifo(c.path(k), 0o600) })
	replace(func() error { return os.Mkdir(c.path(k), 0o700) })
	replace(func() error { return os.WriteFile(c.path(k), make([]byte, 2000), 0o600) })
	elsewhere := filepath.Join(t.TempDir(), "entry")
	require.NoError(t, os.WriteFile(elsewhere, whole, 0o600))
	replace(func() error { return os.Symlink(elsewhere, c.path(k)) })
	if os.Geteuid() == 0 {
		replace(func() error {
			if err := os.WriteFile(c.path(k), whole, 0o644); err != nil {
				return err
			}
			return os.Chown(c.path(k), 27233, 27233)
		})
	}
}

func TestEviction(t *testing.T) {
	code := make([]byte, 100)
	c := open(t, 3*entryBytes(code))
	key := func(i int) Key { return NewKey([]byte{byte(i)}) }
	age := func(i int, hours time.Duration) {
		at := time.Now().Add(-hours * time.Hour)
		require.NoError(t, os.Chtimes(c.path(key(i)), at, at))
	}
	for i := range 3 {
		c.Put(key(i), code)
		age(i, time.Duration(10-i))
	}
	has(t, c, key(0), code) // now 1 is the oldest
	c.Put(key(3), code)
	missing(t, c, key(1))
	for _, i := range []int{0, 2, 3} {
		has(t, c, key(i), code)
	}
	c.Put(key(4), make([]byte, 1000))
	missing(t, c, key(4))
	has(t, c, key(3), code)

	crashed, busy, strange := filepath.Join(c.settings.Dir, "new-1"), filepath.Join(c.settings.Dir, "new-2"), filepath.Join(c.settings.Dir, "notes.txt")
	for _, path := range []string{crashed, busy, strange} {
		require.NoError(t, os.WriteFile(path, make([]byte, 5000), 0o600))
	}
	old := time.Now().Add(-2 * abandoned)
	require.NoError(t, os.Chtimes(crashed, old, old))
	c.Put(key(5), code)
	require.NoFileExists(t, crashed)
	require.FileExists(t, busy)
	require.FileExists(t, strange)
	has(t, c, key(5), code)
}

func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	c := open(t, 1000)
	c.Put(NewKey(), []byte("code"))
	require.NoError(t, os.Chmod(c.settings.Dir, 0o500))
	c.Put(NewKey([]byte("x")), []byte("code"))
	missing(t, c, NewKey([]byte("x")))
	has(t, c, NewKey(), []byte("code"))
	require.NoError(t, os.Chmod(c.settings.Dir, 0o700))
}

// TestFullDisk fills a small disk. Nothing is left of an entry without room.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("needs the right to mount a small disk: %v", err)
	}
	defer func() { require.NoError(t, syscall.Unmount(dir, 0)) }()
	c := Open(Settings{filepath.Join(dir, "c"), 1 << 30})
	small, large := NewKey([]byte("s")), NewKey([]byte("l"))
	c.Put(small, []byte("code"))
	c.Put(large, make([]byte, 200_000))
	missing(t, c, large)
	has(t, c, small, []byte("code"))
	files, err := os.ReadDir(c.settings.Dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
}

// valueOf is the only good value of a key of TestProcesses.
func valueOf(key, size int) []byte {
	return bytes.Repeat([]byte(strconv.Itoa(key)+" "), size)
}

// TestProcesses has many processes use one small cache. Some of them damage entries, and some are
// killed. No process ever gets a wrong value, and the limit holds in the end.
func TestProcesses(t *testing.T) {
	const limit = 20_000
	if dir := os.Getenv("JACQUARD_TEST_CACHE"); dir != "" {
		hammer(t, Open(Settings{dir, limit}))
		return
	}
	dir := t.TempDir()
	var done sync.WaitGroup
	for i := range 12 {
		done.Go(func() {
			command := exec.Command(os.Args[0], "-test.run=^TestProcesses$")
			command.Env = append(os.Environ(), "JACQUARD_TEST_CACHE="+dir, "JACQUARD_TEST_SEED="+strconv.Itoa(i))
			if i%4 == 3 { // to be killed
				if err := command.Start(); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(20+10*i) * time.Millisecond)
				_ = command.Process.Kill() // it may have ended
				_ = command.Wait()
				return
			}
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	done.Wait()
	c := Open(Settings{dir, limit})
	c.Put(NewKey([]byte("last")), []byte("x"))
	total := int64(0)
	files, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	require.NoError(t, err)
	for _, path := range files {
		info, err := os.Stat(path)
		require.NoError(t, err)
		total += info.Size()
	}
	require.LessOrEqual(t, total, int64(limit))
	require.NotEmpty(t, files)
}

// hammer is one process of TestProcesses.
func hammer(t *testing.T, c *Cache) {
	seed, err := strconv.Atoi(os.Getenv("JACQUARD_TEST_SEED"))
	require.NoError(t, err)
	for i := range 400 {
		n := (i*7 + seed*13) % 40
		k := NewKey([]byte{byte(n)})
		if got, ok := c.Get(k); ok {
			require.Equal(t, valueOf(n, 10*n), got)
		} else {
			c.Put(k, valueOf(n, 10*n))
		}
		if seed == 0 && i%20 == 0 {
			_ = os.WriteFile(c.path(k), []byte("damage"), 0o600) // it may be gone
		}
	}
}
