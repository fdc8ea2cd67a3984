package random

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile"
	"jacquard/cubin/ptx/compile/library"
)

// FuzzCompile compiles whatever the parser takes. It compiles or is refused, in a time that grows
// with the text.
func FuzzCompile(f *testing.F) {
	for _, dir := range []string{"testdata", "../testdata", os.Getenv("JACQUARD_PTX")} {
		files, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
		require.NoError(f, err)
		for _, path := range files {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			if len(text) < 1<<15 {
				f.Add(text)
			}
		}
	}
	for seed := range uint64(8) {
		k, _, _ := kernelOf(seed)
		f.Add([]byte(k.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ptx.Parse("fuzz.ptx", text)
		if err != nil || large(m) {
			return
		}
		for _, arch := range arches[len(text)%2*3:][:1] {
			start := time.Now()
			_, err := compile.Compile(m, compile.Options{Arch: arch, Library: library.Module()})
			if err != nil {
				require.NotContains(t, err.Error(), "internal error")
				require.NotContains(t, err.Error(), "cannot encode")
			}
			limit := 5*time.Second + time.Duration(len(text))*10*time.Millisecond
			require.Less(t, time.Since(start), limit)
		}
	})
}

// large reports whether a short text declares many registers, or calls that multiply.
func large(m *ptx.Module) bool {
	n, calls := 0, 0
	for _, item := range m.Items {
		if f, ok := item.(*ptx.Func); ok {
			n += len(f.Regs)
			for _, s := range f.Body {
				if in, ok := s.(*ptx.Instr); ok && in.Op == ptx.OpCall {
					calls++
				}
			}
		}
	}
	return n > 10000 || calls > 20
}

// Texts with a line left out, repeated or moved compile or are refused.
func TestDamagedTexts(t *testing.T) {
	from, to := seeds(150)
	for seed := from; seed < to; seed++ {
		k, arch, _ := kernelOf(seed / 5)
		g := &writer{r: rng(seed)}
		lines := strings.Split(k.Text, "\n")
		for range 1 + g.r.IntN(6) {
			i, j := g.r.IntN(len(lines)), g.r.IntN(len(lines))
			switch g.r.IntN(3) {
			case 0:
				lines[i], lines[j] = lines[j], lines[i]
			case 1:
				lines = append(lines[:i], lines[i+1:]...)
			default:
				lines[i] = lines[j]
			}
		}
		m, err := ptx.Parse("k.ptx", []byte(strings.Join(lines, "\n")))
		if err != nil {
			continue
		}
		_, err = compile.Compile(m, compile.Options{Arch: arch, Library: library.Module()})
		if err != nil {
			require.NotContains(t, err.Error(), "internal error", "seed %d", seed)
			require.NotContains(t, err.Error(), "cannot encode", "seed %d", seed)
		}
	}
}
