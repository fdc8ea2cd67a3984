package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/observe/stats"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// written returns the page of a report.
func written(t testing.TB, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	return b.Bytes()
}

// element is an element of a page with its content.
type element struct {
	name       string
	attributes map[string]string
	text       string // of the element and its descendants, except for elements in whole
	children   []*element
}

// all returns the descendants of e with a name and an attribute like "class=x y"; "" matches any.
func (e *element) all(name, attribute string) (found []*element) {
	key, value, _ := strings.Cut(attribute, "=")
	for _, c := range e.children {
		if (name == "" || c.name == name) && (attribute == "" || c.attributes[key] == value) {
			found = append(found, c)
		}
		found = append(found, c.all(name, attribute)...)
	}
	return found
}

// one returns the only such descendant.
func (e *element) one(t testing.TB, name, attribute string) *element {
	t.Helper()
	found := e.all(name, attribute)
	require.Len(t, found, 1, "%s %s", name, attribute)
	return found[0]
}

var scripts = regexp.MustCompile(`(?s)<(script|style)>.*?</(script|style)>`)

// whole are elements whose text is not collected.
var whole = map[string]bool{"html": true, "body": true, "main": true, "section": true, "table": true, "tbody": true, "div": true}

var packed = regexp.MustCompile(`(?s)( data-packed="([^"]*)">).*?</section>`)

// unpack puts packed kernels into their places, as the script does.
func unpack(t testing.TB, page []byte) []byte {
	t.Helper()
	return packed.ReplaceAllFunc(page, func(section []byte) []byte {
		m := packed.FindSubmatch(section)
		data := regexp.MustCompile(`<script type="application/octet-stream" id="` + string(m[2]) + `">([^<]*)</script>`).FindSubmatch(page)
		require.NotNil(t, data)
		content, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data[1]))))
		require.NoError(t, err)
		return fmt.Appendf(nil, "%s%s</section>", m[1], content)
	})
}

// parse parses a page.
func parse(t testing.TB, page []byte) *element {
	t.Helper()
	page = unpack(t, page)
	d := xml.NewDecoder(bytes.NewReader(scripts.ReplaceAll(page, nil)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	open := []*element{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			require.Len(t, open, 1, "every element has its end")
			return open[0]
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			e := &element{name: x.Name.Local, attributes: map[string]string{}}
			for _, a := range x.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			in := open[len(open)-1]
			in.children = append(in.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for i := len(open) - 1; i > 0 && !whole[open[i].name]; i-- {
				open[i].text += string(x)
			}
		}
	}
}

// number reads a number in the page's format.
func number(t testing.TB, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.ReplaceAll(strings.TrimSpace(text), ",", ""), 10, 64)
	require.NoError(t, err)
	return n
}

// column returns the cells of a table's body below a heading.
func (e *element) column(t testing.TB, head string) (cells []string) {
	t.Helper()
	at := -1
	for i, th := range e.one(t, "thead", "").all("th", "") {
		if strings.TrimSpace(th.text) == head {
			at = i
		}
	}
	require.GreaterOrEqual(t, at, 0, head)
	for _, tr := range e.one(t, "tbody", "").all("tr", "") {
		if len(tr.children) > at {
			cells = append(cells, strings.TrimSpace(tr.children[at].text))
		}
	}
	return cells
}

func sumOf(t testing.TB, cells []string) (sum uint64) {
	t.Helper()
	for _, c := range cells {
		if c != "" {
			sum += number(t, c)
		}
	}
	return sum
}

// The tables of the page add up to the statistics.
func TestNumbers(t *testing.T) {
	r := read(t, mesa(t, "vecadd", "reduce", "vecadd", "nested", "calls"))
	page := parse(t, written(t, r))
	for _, id := range []string{"kernel-table", "launch-table"} {
		table := page.one(t, "table", "id="+id)
		require.Equal(t, r.Total.WarpInstructions, sumOf(t, table.column(t, "Warp instructions")))
		require.Equal(t, r.Total.ThreadInstructions, sumOf(t, table.column(t, "Thread instructions")))
	}
	for _, k := range r.Kernels {
		view := page.one(t, "section", "id="+k.ID())
		table := view.one(t, "table", "class=code")
		require.Equal(t, k.Sum.WarpInstructions, sumOf(t, table.column(t, "Issues")))
		require.Equal(t, k.Sum.ThreadInstructions, sumOf(t, table.column(t, "Threads")))
		splits := view.all("table", "class=split")
		require.Len(t, splits, 2)
		for _, split := range splits {
			require.Equal(t, k.Sum.WarpInstructions, sumOf(t, split.column(t, "Warp instructions")))
			require.Equal(t, k.Sum.ThreadInstructions, sumOf(t, split.column(t, "Thread instructions")))
		}
		for i, in := range k.Code {
			row := page.one(t, "tr", "id="+k.anchor(k.PCs[i]))
			require.Equal(t, in.String(), row.one(t, "td", "class=ins").text)
		}
		blocks := 0
		for _, f := range k.flow().Functions {
			blocks += len(f.Blocks)
		}
		require.Len(t, view.all("g", "role=button"), blocks)
	}
}

// The tables of memory and of branches agree with the counters of the launches.
func TestMemoryNumbers(t *testing.T) {
	data := mesa(t, "matmul", "reduce", "localarr", "histogram", "nested", "matmul")
	run, err := stats.Read(bytes.NewReader(data), nil)
	require.NoError(t, err)
	want := map[tesla.Op]*simt.InstructionStats{} // loads from s[] are of any other operation
	of := func(op tesla.Op) *simt.InstructionStats {
		if want[op] == nil {
			want[op] = &simt.InstructionStats{}
		}
		return want[op]
	}
	var constants mem.Steps
	var branches simt.Outcomes
	for _, l := range run.Launches {
		for i := range l.Stats.ByInstruction {
			in, op := &l.Stats.ByInstruction[i], l.Kernel.Code[i].Op
			of(op).Threads += in.Threads
			of(op).Memory.Device.Add(&in.Memory.Device)
			constants.Add(&in.Memory.Const)
			if op != tesla.OpStShared {
				op = tesla.OpLdShared
			}
			of(op).Memory.Shared.Add(&in.Memory.Shared)
			o := &in.Branch
			branches.Taken += o.Taken
			branches.NotTaken += o.NotTaken
			branches.Divergent += o.Divergent
		}
	}
	require.NotZero(t, of(tesla.OpStLocal).Memory.Device.Accesses)
	require.NotZero(t, of(tesla.OpLdShared).Memory.Shared.Conflicts())
	atomics := of(tesla.OpRed).Threads + of(tesla.OpAtom).Threads
	require.NotZero(t, atomics)

	page := parse(t, written(t, read(t, data)))
	overview := page.one(t, "section", "id=overview")
	cells := func(table *element, row int) (numbers []uint64) {
		for _, td := range table.one(t, "tbody", "").all("tr", "")[row].all("td", "") {
			if text := strings.TrimSpace(td.text); text != "" && !strings.ContainsAny(text, "%.") {
				numbers = append(numbers, number(t, text))
			}
		}
		return numbers
	}
	device, chip := overview.one(t, "table", "class=device"), overview.one(t, "table", "class=chip")
	for row, op := range []tesla.Op{tesla.OpLdGlobal, tesla.OpStGlobal, tesla.OpLdLocal, tesla.OpStLocal} {
		w, got := &of(op).Memory.Device, cells(device, row)
		require.Equal(t, []uint64{w.Accesses, w.G80.Count(), w.G80.Bytes(), w.GT200.Count(), w.GT200.Bytes()}, slices.Delete(got, 1, 2), row)
	}
	for row, w := range []*mem.Steps{&of(tesla.OpLdShared).Memory.Shared, &of(tesla.OpStShared).Memory.Shared, &constants} {
		require.Equal(t, []uint64{w.Accesses, w.Steps, w.Conflicts()}, cells(chip, row), row)
	}
	require.Equal(t, atomics, cells(overview.one(t, "table", "class=others"), 0)[1])
	var taken, not, divergent uint64
	for _, table := range page.all("table", "class=branches") {
		taken += sumOf(t, table.column(t, "Taken"))
		not += sumOf(t, table.column(t, "Not taken"))
		divergent += sumOf(t, table.column(t, "Divergent"))
	}
	require.Equal(t, branches, simt.Outcomes{Taken: taken, NotTaken: not, Divergent: divergent})
}

func TestOperands(t *testing.T) {
	page := parse(t, written(t, read(t, mesa(t, "vecadd"))))
	require.Empty(t, page.all("table", "class=operands"), "nobody counted them")
	r := randomRun(tesla.SM12, 200, 1)
	var want simt.Operands
	for i := range r.Kernels[0].Sum.ByInstruction {
		o := &r.Kernels[0].Sum.ByInstruction[i].Operands
		want.Reads += o.Reads
		want.ReadsUniform += o.ReadsUniform
		want.WritesAffine += o.WritesAffine
	}
	tables := parse(t, written(t, r)).all("table", "class=operands")
	require.Len(t, tables, 2)
	for _, table := range tables {
		require.Equal(t, want.Reads, number(t, table.column(t, "All")[0]))
		require.Equal(t, want.ReadsUniform, number(t, table.column(t, "Uniform")[0]))
		require.Equal(t, want.WritesAffine, number(t, table.column(t, "Affine")[1]))
	}
}

// Every link in the page has a target, and no two elements have one ID.
func TestLinks(t *testing.T) {
	page := parse(t, written(t, read(t, mesa(t, "calls", "reduce"))))
	names := map[string]bool{}
	for _, e := range page.all("", "") {
		if id := e.attributes["id"]; id != "" {
			require.False(t, names[id], id)
			names[id] = true
		}
	}
	links := 0
	for _, e := range page.all("", "") {
		for _, key := range []string{"href", "aria-labelledby", "data-row"} {
			if v := e.attributes[key]; v != "" && !strings.HasPrefix(v, "data:") {
				links++
				require.True(t, names[strings.TrimPrefix(v, "#")], "%s %s", key, v)
			}
		}
	}
	require.Greater(t, links, 20)
}

func TestNothingFromElsewhere(t *testing.T) {
	page := string(written(t, read(t, mesa(t, "vecadd"))))
	require.NotRegexp(t, `(?i)(src|href|action)\s*=\s*["']?\s*(https?:|//|file:)`, page)
	require.NotRegexp(t, `(?i)url\(|@import|fetch\(|XMLHttpRequest|WebSocket`, page)
	require.Contains(t, page, `default-src &#39;none&#39;`)
}

const hostile = `k</script></style><script>alert(1)</script><img src=x onerror=alert(2)>"'&{{.}}-->]]>` + "\x00\u202e"

// disguise puts text into every place that shows text from outside.
func (r *Report) disguise(text string) {
	r.Run.Program, r.Run.Policy, r.Run.SIMD, r.Run.Devices = text, text, text, []string{text}
	r.Kernels[0].Name, r.Kernels[0].Hash = text, text
	r.Launches[0].Error, r.Launches[0].InStep = text, text
}

func TestHostileNames(t *testing.T) {
	r := read(t, mesa(t, "calls"))
	r.disguise(hostile)
	page := written(t, r)
	require.NotContains(t, string(page), "<img src=x")
	require.NotContains(t, string(page), "<script>alert")
	require.Equal(t, 3, bytes.Count(page, []byte("<script>")), "begin, bytes and page")
	require.Equal(t, 1, bytes.Count(page, []byte("<style>")))
	require.Contains(t, parse(t, page).one(t, "h2", "id=k1-title").text, `k</script></style><script>alert(1)`)
}

func TestSame(t *testing.T) {
	data := mesa(t, "calls", "vecadd")
	require.Equal(t, written(t, read(t, data)), written(t, read(t, data)))
}

// randomRun returns a report of launches of one kernel of random words, with random counts.
func randomRun(arch tesla.Arch, words, launches int) *Report {
	random := rand.New(rand.NewPCG(1, 2))
	code := make([]uint32, words)
	for i := range code {
		code[i] = random.Uint32()
		if random.IntN(2) == 0 {
			code[i] |= 1 // the first half of a long instruction
		}
	}
	kernel := simt.Kernel{Name: "random", Arch: arch, Code: decoder.Kernel(arch, code)}
	k := &Kernel{Kernel: stats.Describe(&kernel), Rank: 1}
	r := &Report{Run: &stats.Run{}, Kernels: []*Kernel{k}}
	for n := range launches {
		l := &stats.Launch{Kernel: k.Kernel, Number: n}
		l.Stats.WarpInstructions = uint64(random.IntN(1000))
		if n == 0 { // the other launches counted no single instructions
			l.Stats.ByInstruction = make([]simt.InstructionStats, len(kernel.Code))
		}
		for i := range l.Stats.ByInstruction {
			for _, c := range stats.InstructionColumns() {
				*c.Of(&l.Stats.ByInstruction[i]) = uint64(random.IntN(1000))
			}
		}
		k.add(l)
		r.add(k, l)
	}
	return r
}

// Any words can be the code of a kernel: instructions that cannot run are shown, too.
func TestAnyCode(t *testing.T) {
	for _, arch := range tesla.Archs {
		r := randomRun(arch, 2000, 1)
		require.Len(t, parse(t, written(t, r)).all("td", "class=ins"), len(r.Kernels[0].Code))
	}
}
