package replay_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/board/mirror"
	"jacquard/board/replay"
	"jacquard/cubin"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/tesla"
)

// corpusEntry is the part of a kernel in testdata/corpus/corpus.json that this test needs;
// README.md there describes the format.
type corpusEntry struct {
	Name   string
	File   string
	Kernel string
	Block  [3]int
	Grid   [2]int
	Params []struct {
		Name          string
		Offset, Words int
		Buffer        bool
	}
	Runs []struct {
		Give map[string]string
		End  string
	}
}

// TestCorpus runs every kernel of the corpus on every board, with a copy of the library beside it
// and a recorder. There is no difference at once, and none when the bundle is replayed here and on
// that copy.
func TestCorpus(t *testing.T) {
	const corpus = "../../../shared/corpus"
	if _, err := os.Stat(corpus); errors.Is(err, os.ErrNotExist) {
		t.Skip("no third-party cubins beside the repository, in ../shared/corpus")
	}
	data, err := os.ReadFile("../../testdata/corpus/corpus.json")
	require.NoError(t, err)
	var entries []corpusEntry
	require.NoError(t, json.Unmarshal(data, &entries))

	devices := boards()
	t.Setenv("JACQUARD_DEVICE", devices) // for the copy
	// Blocks of some kernels race, and have the same result only in the same order.
	t.Setenv("JACQUARD_WORKERS", "1")
	path, report := filepath.Join(t.TempDir(), "corpus.jqb"), filepath.Join(t.TempDir(), "report")
	against := knobs.Crosscheck{Library: build(t), Every: 1, Report: report}
	d := driver.New(driver.Config{Settings: knobs.Settings{Record: path, Device: devices, Workers: "1"}, Output: io.Discard,
		Listener: func(knobs.Settings) (driver.Listener, error) { return mirror.New(against, io.Discard) }})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	launches, endless, failed := 0, 0, 0
	for i := range entries {
		e := &entries[i]
		image, err := os.ReadFile(filepath.Join(corpus, e.File))
		require.NoError(t, err)
		for _, run := range e.Runs {
			for board := range tesla.Archs {
				ctx, err := th.CtxCreate(0, driver.Device(board))
				require.NoError(t, err)
				err = e.launch(t, th, image, run.Give)
				require.Equal(t, run.End == "", err == nil, "%s: %v", e.Name, err)
				require.NoError(t, th.CtxDestroy(ctx))
				launches++
				if run.End == "endless" {
					endless++
				} else if run.End != "" {
					failed++
				}
			}
		}
	}
	d.End()

	lines, err := os.ReadFile(report)
	require.NoError(t, err)
	all := strings.Split(strings.TrimSpace(string(lines)), "\n")
	var r mirror.Report
	require.NoError(t, json.Unmarshal([]byte(all[len(all)-1]), &r))
	require.Nil(t, r.Difference)
	require.Equal(t, [2]int{launches, launches - endless}, [2]int{r.Launches, r.Compared})
	require.Equal(t, map[string]int{"the simulator ended it": endless}, r.Skipped)

	total, said := replayed(t, path, &replay.Engine{Workers: 1}, replay.Options{})
	require.Empty(t, said)
	require.Equal(t, replay.Total{Same: launches}, total)
	total, said = replayed(t, path, other(t), replay.Options{})
	require.Equal(t, replay.Total{Same: launches - endless - failed, Skipped: endless + failed}, total, "%v", said)
	t.Logf("%d launches of %d kernels: %d compared while they ran, %d of the bundle on the other library", launches, len(entries), r.Compared, total.Same)
}

// launch runs a kernel with the words in give, by the names of parameters and constants.
func (e *corpusEntry) launch(t *testing.T, th *driver.Thread, image []byte, give map[string]string) error {
	t.Helper()
	m, err := th.ModuleLoadData(image)
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, e.Kernel)
	require.NoError(t, err)
	bindTextures(t, th, m, image, e.Kernel)
	given := map[string][]byte{}
	for name, text := range give {
		given[name] = corpusWords(t, text)
	}
	size := 0
	for _, p := range e.Params {
		content := given[p.Name]
		for len(content) < 4*p.Words {
			content = append(content, 0xef, 0xbe, 0xad, 0xde)
		}
		delete(given, p.Name)
		if p.Buffer {
			at, err := th.MemAlloc(uint64(len(content)))
			require.NoError(t, err)
			require.NoError(t, th.MemcpyHtoD(at, content))
			content = binary.LittleEndian.AppendUint64(nil, uint64(at))
		}
		size = max(size, p.Offset+len(content))
		require.NoError(t, th.ParamSetv(f, p.Offset, content))
	}
	for name, content := range given {
		at, _, err := th.ModuleGetGlobal(m, name)
		require.NoError(t, err, "%s has no %s", e.Name, name)
		require.NoError(t, th.MemcpyHtoD(at, content))
	}
	require.NoError(t, th.ParamSetSize(f, uint32(size)))
	require.NoError(t, th.FuncSetBlockShape(f, e.Block[0], e.Block[1], e.Block[2]))
	return errors.Join(th.LaunchGrid(f, e.Grid[0], e.Grid[1]), th.CtxSynchronize())
}

// corpusWords reads words in hex.
func corpusWords(t *testing.T, text string) (b []byte) {
	t.Helper()
	for _, s := range strings.Fields(text) {
		w, err := strconv.ParseUint(s, 16, 32)
		require.NoError(t, err)
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return b
}

// bindTextures binds a line to a kernel's texture unit 0, a plane to unit 1 and a volume to unit 2.
func bindTextures(t *testing.T, th *driver.Thread, m driver.Module, image []byte, kernel string) {
	t.Helper()
	img, err := cubin.Parse(image)
	require.NoError(t, err)
	for unit, sampler := range img.Units(img.Kernel(kernel)) {
		if sampler < 0 {
			continue
		}
		const side = 4
		desc := driver.ArrayDescriptor{Width: side, Format: driver.FormatFloat, Channels: 4}
		if unit > 0 {
			desc.Height = side
		}
		if unit > 1 {
			desc.Depth = side
		}
		a, err := th.Array3DCreate(desc)
		require.NoError(t, err)
		width, height, depth := uint64(16*side), max(desc.Height, 1), max(desc.Depth, 1)
		var texels []byte
		for i := range width * height * depth / 4 {
			texels = binary.LittleEndian.AppendUint32(texels, math.Float32bits(float32(i)/16))
		}
		require.NoError(t, th.Memcpy3D(driver.Copy{
			Src: driver.CopySide{Type: driver.MemoryHost, Host: uintptr(unsafe.Pointer(&texels[0])), Pitch: width, Height: height}, Dst: driver.CopySide{Type: driver.MemoryArray, Array: a},
			Width: width, Height: height, Depth: depth,
		}))
		ref, err := th.ModuleGetTexRef(m, img.Samplers[sampler].Name)
		require.NoError(t, err)
		require.NoError(t, th.TexRefSetArray(ref, a, driver.TRSAOverrideFormat))
		for dim := range 3 {
			require.NoError(t, th.TexRefSetAddressMode(ref, dim, driver.AddressClamp))
		}
	}
}
