package ptxrandom

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// FuzzCompile compiles whatever the parser takes. It compiles or is refused, in a time that grows
// with the text.
func FuzzCompile(f *testing.F) {
	for _, dir := range []string{"testdata", "../../../ptx/testdata", os.Getenv("JACQUARD_PTX")} {
		files, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
		require.NoError(f, err)
		for _, path := range files {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			if len(text) < 1<<15 {
				f.Add(text, uint64(len(text)))
			}
		}
	}
	for seed := range uint64(8) {
		k, _, _ := kernelOf(seed)
		f.Add([]byte(k.Text), seed)
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if seed != 0 {
			text = damage(text, seed)
		}
		requireCompiles(t, text, arches[seed%4], seed)
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

// Damaged texts compile or are refused.
func TestDamagedTexts(t *testing.T) {
	from, to := seeds(150)
	for seed := from; seed < to; seed++ {
		k, arch, _ := kernelOf(seed / 5)
		requireCompiles(t, damage([]byte(k.Text), seed), arch, seed)
	}
}

// JACQUARD_PTX names a directory of modules, such as NVIDIA's SDK samples.
func TestDamagedModulesOfADirectory(t *testing.T) {
	dir := os.Getenv("JACQUARD_PTX")
	if dir == "" {
		t.Skip("JACQUARD_PTX names no directory of modules")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
	require.NoError(t, err)
	from, to := seeds(400)
	for seed := from; seed < to; seed++ {
		text, err := os.ReadFile(files[seed%uint64(len(files))])
		require.NoError(t, err)
		requireCompiles(t, damage(text, seed), arches[seed/7%4], seed)
	}
}

func requireCompiles(t *testing.T, text []byte, arch tesla.Arch, seed uint64) {
	t.Helper()
	m, err := ptx.Parse("k.ptx", text)
	if err != nil || large(m) {
		return
	}
	start := time.Now()
	_, err = compile.Compile(m, compile.Options{Arch: arch, Verify: true})
	limit := 5*time.Second + time.Duration(len(text))*10*time.Millisecond
	if bad := err != nil && mistake.MatchString(err.Error()); bad || time.Since(start) > limit {
		if dir := os.Getenv("JACQUARD_SHRINK"); dir != "" {
			_ = os.WriteFile(fmt.Sprintf("%s/damaged%d.ptx", dir, seed), text, 0o644)
		}
		t.Errorf("seed %d on %s, %v: %v", seed, arch, time.Since(start), err)
	}
}

// mistake finds errors of the compiler itself.
var mistake = regexp.MustCompile("internal error|cannot encode|no instruction for")

var word = regexp.MustCompile(`[%.]?[\w$]+`)

// damage moves, repeats and removes a few lines and words of a text.
func damage(text []byte, seed uint64) []byte {
	r := rng(seed)
	lines := strings.Split(string(text), "\n")
	for range 1 + r.IntN(6) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(8) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			if len(lines) > 2 {
				lines = append(lines[:i], lines[i+1:]...)
			}
		case 2:
			lines[i] = lines[j]
		default:
			lines[i] = exchange(r, lines[i], lines[j])
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// exchange puts a word of another line into a line, in the place of one that begins alike.
func exchange(r *rand.Rand, line, other string) string {
	words := word.FindAllStringIndex(line, -1)
	if len(words) == 0 {
		return line
	}
	at := words[r.IntN(len(words))]
	var fit []string
	for _, w := range word.FindAllString(other, -1) {
		if c := line[at[0]]; w[0] == c || c >= '0' && c <= '9' && w[0] >= '0' && w[0] <= '9' {
			fit = append(fit, w)
		}
	}
	if len(fit) == 0 {
		return line
	}
	return line[:at[0]] + fit[r.IntN(len(fit))] + line[at[1]:]
}
