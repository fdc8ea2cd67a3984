package kerneltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"jacquard/tesla"
)

// file mirrors test.json.
type file struct {
	Name       string               `json:"name"`
	Source     string               `json:"source,omitempty"`
	Note       string               `json:"note,omitempty"`
	Block      []int                `json:"block"`
	Grid       []int                `json:"grid"`
	Shared     int                  `json:"shared,omitempty"`
	ParamBytes int                  `json:"param_bytes"`
	Params     []fileParam          `json:"params"`
	Builds     map[string]fileBuild `json:"builds"`
}

type fileParam struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Offset int      `json:"param_offset"`
	Size   int      `json:"size,omitempty"`
	Value  string   `json:"value,omitempty"`
	Words  int      `json:"words,omitempty"`
	Init   string   `json:"init,omitempty"`
	Expect string   `json:"expect,omitempty"`
	Rule   string   `json:"compare,omitempty"`
	RTol   *float64 `json:"rtol,omitempty"`
	ATol   *float64 `json:"atol,omitempty"`
	Note   string   `json:"note,omitempty"`
}

type fileBuild struct {
	Chipset      string `json:"chipset,omitempty"`
	File         string `json:"file"`
	Registers    int    `json:"reg,omitempty"`
	Shared       int    `json:"smem,omitempty"`
	Local        int    `json:"lmem,omitempty"`
	Barriers     int    `json:"bar,omitempty"`
	Words        int    `json:"words,omitempty"`
	Instructions int    `json:"instructions,omitempty"`
	SameCodeAs   string `json:"same_code_as,omitempty"`
}

// Find returns the test.json files of paths: each is one, a folder that has one, or a folder of such
// folders.
func Find(paths []string) ([]string, error) {
	var found []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			found = append(found, path)
			continue
		}
		if own := filepath.Join(path, "test.json"); isFile(own) {
			found = append(found, own)
			continue
		}
		below, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		before := len(found)
		for _, folder := range below {
			if own := filepath.Join(path, folder.Name(), "test.json"); isFile(own) {
				found = append(found, own)
			}
		}
		if len(found) == before {
			return nil, fmt.Errorf("%s: there is no test.json in it or in a folder of it", path)
		}
	}
	return found, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Load reads and checks the test.json at path.
func Load(path string) (*Test, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	t, err := parse(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.Dir = filepath.Dir(path)
	return t, nil
}

// explain returns an error of encoding/json in words that do not need Go.
func explain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return wrong("", "the file is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return wrong("", "the file ends before it is complete")
	case errors.As(err, &kind) && kind.Field == "":
		return wrong("", "%s instead of an object in braces", kind.Value)
	case errors.As(err, &kind):
		return wrong("", "%s where %s belongs", kind.Value, kind.Field)
	}
	return err
}

// Parse reads and checks the content of a test.json. Unknown keys and contradictions are errors: a
// [*FormatError], or one of encoding/json.
func Parse(data []byte) (*Test, error) { return parse(bytes.NewReader(data)) }

// parse reads a test.json as far as it is one.
func parse(in io.Reader) (*Test, error) {
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	var f file
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("not a kernel test: %w", explain(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, wrong("", "more data after the closing brace")
	}
	t := &Test{Name: f.Name, Source: f.Source, Note: f.Note, Shared: f.Shared, ParamBytes: f.ParamBytes}
	if f.Name == "" {
		return nil, wrong("", "no name")
	}
	if err := t.shape(f.Block, f.Grid); err != nil {
		return nil, err
	}
	if f.Shared < 0 || f.Shared > tesla.SharedBytes {
		return nil, wrong("shared", "%d is not in 0..%d", f.Shared, tesla.SharedBytes)
	}
	for _, fp := range f.Params {
		p, err := fp.param()
		if err != nil {
			return nil, err
		}
		t.Params = append(t.Params, p)
	}
	if err := t.layout(); err != nil {
		return nil, err
	}
	for name, fb := range f.Builds {
		arch, err := tesla.ParseArch(name)
		if err != nil {
			return nil, wrong("builds", "%v", err)
		}
		if fb.File == "" || fb.File != filepath.Base(fb.File) {
			return nil, wrong("build "+name, "file %q is not a plain file name", fb.File)
		}
		if _, ok := f.Builds[fb.SameCodeAs]; fb.SameCodeAs != "" && !ok {
			return nil, wrong("build "+name, "same_code_as names %q, which is no build", fb.SameCodeAs)
		}
		t.Builds = append(t.Builds, Build{arch, fb.Chipset, fb.File, fb.Registers, fb.Shared, fb.Local, fb.Barriers, fb.Words, fb.Instructions, fb.SameCodeAs})
	}
	if len(t.Builds) == 0 {
		return nil, wrong("", "no builds")
	}
	slices.SortFunc(t.Builds, func(a, b Build) int { return int(a.Arch) - int(b.Arch) })
	return t, nil
}

// shape sets the launch shape.
func (t *Test) shape(block, grid []int) error {
	if len(block) != 3 || len(grid) != 2 {
		return wrong("", "want three sizes in block and two in grid")
	}
	threads := 1
	for i, n := range block {
		if n < 1 || n > tesla.MaxThreads {
			return wrong("block", "size %d is not in 1..%d", n, tesla.MaxThreads)
		}
		t.Block[i] = n
		threads *= n
	}
	if threads > tesla.MaxThreads {
		return wrong("block", "%d threads, at most %d fit", threads, tesla.MaxThreads)
	}
	for i, n := range grid {
		if n < 1 || n > tesla.GridBlocks {
			return wrong("grid", "size %d is not in 1..%d", n, tesla.GridBlocks)
		}
		t.Grid[i] = n
	}
	return nil
}

// layout checks that parameters are aligned, disjoint and inside the parameter block.
func (t *Test) layout() error {
	if t.ParamBytes < 0 || t.ParamBytes > tesla.ParamBytes {
		return wrong("param_bytes", "%d is not in 0..%d", t.ParamBytes, tesla.ParamBytes)
	}
	owner := make([]string, t.ParamBytes)
	names := map[string]bool{}
	for i := range t.Params {
		p := &t.Params[i]
		where := fmt.Sprintf("param %q", p.Name)
		switch {
		case p.Name == "" || names[p.Name]:
			return wrong(where, "needs a name of its own")
		case p.Offset < 0 || p.Offset+p.Size() > t.ParamBytes:
			return wrong(where, "offset %d and size %d leave the %d parameter bytes", p.Offset, p.Size(), t.ParamBytes)
		case p.Offset%p.Size() != 0:
			return wrong(where, "offset %d is not a multiple of its size, %d", p.Offset, p.Size())
		}
		names[p.Name] = true
		for at := p.Offset; at < p.Offset+p.Size(); at++ {
			if owner[at] != "" {
				return wrong(where, "overlaps param %q", owner[at])
			}
			owner[at] = p.Name
		}
	}
	return nil
}
