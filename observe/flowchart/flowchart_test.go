package flowchart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/simt/cfg"
	"jacquard/tesla"
	kernels "jacquard/testdata/mesa-kernels"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func graph(t *testing.T, code []tesla.Instruction) *cfg.Graph {
	t.Helper()
	g, err := cfg.New(code)
	require.NoError(t, err)
	return g
}

func kernel(t *testing.T, name string) Kernel {
	t.Helper()
	data, err := kernels.SM13.ReadFile(name + "/sm_13.cubin")
	require.NoError(t, err)
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	return Kernel{name, graph(t, decoder.Kernel(tesla.SM13, img.Kernels[0].Code))}
}

func TestDOT(t *testing.T) {
	for _, name := range []string{"calls", "collatz"} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, WriteDOT(&out, []Kernel{kernel(t, name)}))
			golden := filepath.Join("testdata", name+".dot")
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o777))
				require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o666))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), out.String())
		})
	}
}

// texts returns all text of a picture, and fails if the picture is not XML.
func texts(t *testing.T, picture []byte) []string {
	t.Helper()
	var out []string
	d := xml.NewDecoder(bytes.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		if s, ok := token.(xml.CharData); ok {
			out = append(out, string(s))
		}
	}
}

func TestSVG(t *testing.T) {
	odd := Kernel{`<k&"k">`, graph(t, []tesla.Instruction{{Op: tesla.OpBreak, Size: 8}})}
	all := []Kernel{kernel(t, "nested"), kernel(t, "calls"), odd}
	var out, again bytes.Buffer
	require.NoError(t, WriteSVG(&out, all))
	require.NoError(t, WriteSVG(&again, all))
	require.Equal(t, out.String(), again.String())
	written := texts(t, out.Bytes())
	for _, want := range []string{
		"nested", "calls", "subroutine 0x100", `<k&"k">`, "call 0x1e0", "0330  shr u32 $r5 $r5 0x1f", "0x170 · loop, depth 2 · parts, meets at 0x190",
		"0x0: a break that can be reached without a break address", "not structured: at 0x0 it is not known where control goes",
	} {
		require.Contains(t, written, want)
	}
	everything := strings.Join(written, "\n")
	for _, in := range all[0].Graph.Code {
		require.Contains(t, everything, in.String())
	}
}

// TestLayout checks for random graphs that boxes do not overlap, that lines lead down except the
// lines to a loop's next round, and that every line passes the rows between its ends.
func TestLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		code := make([]tesla.Instruction, 2+r.IntN(30))
		for i := range code {
			code[i] = tesla.Instruction{Op: tesla.OpNop, Size: 8}
			if r.IntN(2) == 0 {
				code[i].Op, code[i].Target, code[i].Guard.Cond = tesla.OpBra, uint32(8*r.IntN(len(code))), 2
			}
		}
		code[len(code)-1].Marker = tesla.MarkerExit
		c := charts(&Kernel{"random", graph(t, code)})[0]
		s := newLayers(&c)
		width := s.place()
		total := 0
		for _, row := range s.rows {
			total += len(row)
			for i, n := range row {
				v := &s.nodes[n]
				require.GreaterOrEqual(t, v.x-v.w/2, -0.01)
				require.LessOrEqual(t, v.x+v.w/2, width+0.01)
				if i > 0 {
					require.LessOrEqual(t, s.nodes[row[i-1]].x+s.distance(row[i-1], n), v.x+0.01)
				}
			}
		}
		require.Equal(t, len(s.nodes), total)
		for i, l := range c.lines {
			from, to := s.nodes[l.from].row, s.nodes[l.to].row
			if l.back {
				require.GreaterOrEqual(t, from, to)
				require.Len(t, s.chains[i], from-to+1)
			} else {
				require.Less(t, from, to)
				require.Len(t, s.chains[i], to-from-1)
			}
		}
	}
}

func TestInline(t *testing.T) {
	k := kernel(t, "calls")
	f := k.Graph.Functions[1]
	var out bytes.Buffer
	show := Inline{
		Label: `a "label"`,
		Card: func(b int) Card {
			return Card{[]string{"0x" + strconv.FormatUint(uint64(f.Blocks[b].Start), 16), "<much>"}, []xml.Attr{{Name: xml.Name{Local: "data-b"}, Value: `"&` + strconv.Itoa(b)}}}
		},
		Way: func(b int, e cfg.Edge) string {
			if e.Kind == cfg.Return {
				return "< 5 %"
			}
			return ""
		},
	}
	require.NoError(t, WriteInline(&out, &k, 1, show))
	written := texts(t, out.Bytes())
	require.Contains(t, written, "0x100")
	require.Contains(t, written, "<much>")
	require.Contains(t, written, "< 5 %")
	require.Equal(t, len(f.Blocks), strings.Count(out.String(), `<g data-b="&#34;&amp;`))
	require.Contains(t, out.String(), `<path class="line return" stroke-dasharray="7 3" d="`)
	require.Contains(t, out.String(), `class="end"`)
	require.Contains(t, out.String(), `aria-label="a &#34;label&#34;"`)
	require.NotContains(t, out.String(), "<style", "the page has one")
}

// Boxes of a picture are within it and do not overlap.
func TestBoxesAreApart(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteSVG(&out, []Kernel{kernel(t, "nested"), kernel(t, "calls")}))
	size := regexp.MustCompile(`<rect class="ground" width="(\d+)" height="(\d+)"/>`).FindStringSubmatch(out.String())
	require.NotNil(t, size)
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		return v
	}
	type box struct{ x, y, w, h float64 }
	var boxes []box
	for _, m := range regexp.MustCompile(`<rect class="box" x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"`).FindAllStringSubmatch(out.String(), -1) {
		b := box{number(m[1]), number(m[2]), number(m[3]), number(m[4])}
		require.LessOrEqual(t, b.x+b.w, number(size[1]))
		require.LessOrEqual(t, b.y+b.h, number(size[2]))
		for _, o := range boxes {
			require.True(t, b.x >= o.x+o.w || o.x >= b.x+b.w || b.y >= o.y+o.h || o.y >= b.y+b.h, "%v and %v overlap", b, o)
		}
		boxes = append(boxes, b)
	}
	require.Greater(t, len(boxes), 20)
}
