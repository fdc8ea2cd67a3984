package asm_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

var exhaustive = flag.Bool("exhaustive", false, "all vectors of the decoder and 4 x 100,000 random encodings, not a sample")

// seeds returns the words of the decoder's test vectors.
func seeds(t *testing.T) (words [][2]uint32) {
	t.Helper()
	for _, name := range vectors.Files {
		list, err := vectors.Read("../decoder/testdata/" + name)
		require.NoError(t, err)
		for _, v := range list {
			words = append(words, v.Words)
		}
	}
	return words
}

// valid reports whether an encoding is an instruction, for graphics or not.
func valid(in tesla.Instruction) bool { return in.Bad == tesla.OK || in.Bad == tesla.BadGraphics }

// random returns a valid encoding: random bits, or a vector with some bits inverted.
func random(r *rand.Rand, a tesla.Arch, seeds [][2]uint32) [2]uint32 {
	for {
		w := [2]uint32{r.Uint32(), r.Uint32()}
		if r.IntN(2) == 0 {
			w = seeds[r.IntN(len(seeds))]
			for range r.IntN(6) {
				w[r.IntN(2)] ^= 1 << r.IntN(32)
			}
		}
		if in := decoder.Decode(a, w[0], w[1]); valid(in) {
			return in.Raw
		}
	}
}

// requireLine checks that the line of an encoding assembles to it, and not by its words alone.
func requireLine(t *testing.T, s asm.Syntax, a tesla.Arch, w [2]uint32) {
	t.Helper()
	in := decoder.Decode(a, w[0], w[1])
	line := s.Line(a, in)
	if strings.Contains(line, "{words") {
		_, err := s.Assemble(a, s.Text(in))
		require.NoError(t, err, "%08x %s: %s", w, in.Form, line)
		require.Fail(t, "no text", "%08x %s: %s", w, in.Form, line)
	}
	got, err := s.Assemble(a, line)
	require.NoError(t, err, "%08x %s: %s", w, in.Form, line)
	require.Equal(t, in.Raw[:in.Size/4], got, "%s: %s", in.Form, line)
}

// Every valid vector, on every architecture and in both syntaxes.
func TestVectors(t *testing.T) {
	words := seeds(t)
	step := 97
	if *exhaustive {
		step = 1
	}
	for _, s := range []asm.Syntax{asm.Envy, asm.SASS} {
		for _, a := range tesla.Archs {
			t.Run(s.Name+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				for i := int(a); i < len(words); i += step {
					if valid(decoder.Decode(a, words[i][0], words[i][1])) {
						requireLine(t, s, a, words[i])
					}
				}
			})
		}
	}
}

// Random valid encodings.
func TestRandomEncodings(t *testing.T) {
	words := seeds(t)
	n := 300
	if *exhaustive {
		n = 100_000
	}
	for _, s := range []asm.Syntax{asm.Envy, asm.SASS} {
		for _, a := range tesla.Archs {
			t.Run(s.Name+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(a), 17))
				for range n {
					requireLine(t, s, a, random(r, a, words))
				}
			})
		}
	}
}

// Compilers' code needs no note after most texts.
func TestNotesAreFew(t *testing.T) {
	lines, notes := 0, map[string]int{}
	images(t, "../testdata", func(name string, img *cubin.Image) {
		var text strings.Builder
		w := asm.Writer{Syntax: asm.Envy}
		require.NoError(t, w.Write(&text, img.Arch, img))
		for l := range strings.SplitSeq(text.String(), "\n") {
			lines++
			if _, note, ok := strings.Cut(l, "{"); ok {
				notes[strings.Fields(note)[0]]++
			}
		}
	})
	require.Zero(t, notes["words"])
	require.Less(t, 20*(notes["bits"]+notes["short}"]+notes["long}"]), lines, "%v", notes)
}
