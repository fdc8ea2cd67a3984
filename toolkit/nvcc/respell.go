package nvcc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Spellings that NVIDIA's compiler takes and clang does not. The replacements keep lines and columns.
var spellings = []struct {
	old *regexp.Regexp
	new func(match [][]byte) []byte
}{
	// A launch with blanks in its brackets: k << <grid, block >> >(...).
	// An operator << that is named with types in brackets is none.
	{regexp.MustCompile(`operator\s*<<|([\w>]\s*)<<(\s+)<([^;]*?)(?:>>(\s+)>|>(\s+)>>)(\s*\()`), func(m [][]byte) []byte {
		if m[1] == nil {
			return m[0]
		}
		return slices.Concat(m[1], []byte("<<<"), m[2], m[3], []byte(">>>"), m[4], m[5], m[6])
	}},
	// A kernel that is a function of the device, too: it can be launched all the same.
	{regexp.MustCompile(`\b__global__(\s+)__device__\b`), func(m [][]byte) []byte {
		return slices.Concat([]byte("__global__"), m[1])
	}},
	{regexp.MustCompile(`\b__device__(\s+)__global__\b`), func(m [][]byte) []byte {
		return slices.Concat(m[1], []byte("__global__"))
	}},
}

// respell returns a text as clang takes it. Lines stay where they are.
func respell(text []byte) []byte {
	for _, s := range spellings {
		text = s.old.ReplaceAllFunc(text, func(found []byte) []byte {
			better := s.new(s.old.FindSubmatch(found))
			return append(better, bytes.Repeat([]byte(" "), len(found)-len(better))...)
		})
	}
	return text
}

// Respell writes files as clang takes them beside an overlay, which makes clang read those in their
// places (-ivfsoverlay).
func Respell(overlay string, files []string) error {
	type root struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Contents string `json:"external-contents"`
	}
	var roots []root
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		contents, err := filepath.Abs(fmt.Sprintf("%s.%d", overlay, i))
		if err != nil {
			return err
		}
		if err := os.WriteFile(contents, respell(text), 0o666); err != nil {
			return err
		}
		roots = append(roots, root{"file", name, contents})
	}
	text, err := json.Marshal(map[string]any{"version": 0, "use-external-names": false, "roots": roots})
	if err != nil {
		return err
	}
	return os.WriteFile(overlay, text, 0o666)
}

// included is where files come from that a command line and the text of a source name.
type included struct {
	files   []string // before line 1
	folders []string // of headers
}

// folderOptions and fileOptions are options of clang that nvcc passes on. The value is the next
// word; -I may have it in the same word.
var (
	folderOptions = []string{"-I", "-isystem", "-iquote", "-idirafter"}
	fileOptions   = []string{"-include", "-imacros"}
)

// included returns the files that options of the command line name.
func (s *settings) included() (found included) {
	args := slices.Concat(s.headers, s.forward)
	for i, a := range args {
		dir, joined := strings.CutPrefix(a, "-I")
		switch {
		case joined && dir != "":
			found.folders = append(found.folders, dir)
		case i+1 == len(args):
		case slices.Contains(folderOptions, a):
			found.folders = append(found.folders, args[i+1])
		case slices.Contains(fileOptions, a):
			found.files = append(found.files, args[i+1])
		}
	}
	return found
}

// inclusion finds the files that a text includes.
var inclusion = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]`)

// sourceFile is a file of the user's that a compilation reads.
type sourceFile struct {
	path string
	text []byte
}

// sources returns the files that a compilation reads, without the toolkit's headers: the source,
// its includes, and files that come before line 1. Clang reports files that cannot be read.
func sources(source string, from included) (files []sourceFile) {
	seen := map[string]bool{}
	var visit func(path string)
	include := func(name, folder string) {
		if filepath.IsAbs(name) {
			visit(filepath.Clean(name))
			return
		}
		for _, dir := range append([]string{folder}, from.folders...) {
			visit(filepath.Join(dir, name))
		}
	}
	visit = func(path string) {
		if seen[path] {
			return
		}
		seen[path] = true
		text, err := os.ReadFile(path)
		if err != nil {
			return
		}
		files = append(files, sourceFile{path, text})
		for _, m := range inclusion.FindAllSubmatch(text, -1) {
			include(string(m[1]), filepath.Dir(path))
		}
	}
	for _, file := range from.files {
		include(file, ".")
	}
	visit(filepath.Clean(source))
	return files
}

// misspelled returns the paths of the files that clang does not take as they are.
func misspelled(files []sourceFile) (paths []string) {
	for _, f := range files {
		if !bytes.Equal(respell(f.text), f.text) {
			paths = append(paths, f.path)
		}
	}
	return paths
}

// respelled appends the step that an input's old spellings need, and returns the options by which
// clang takes part; none for most inputs.
func (p *planner) respelled(in input, read []sourceFile) []string {
	files := misspelled(read)
	if len(files) == 0 {
		return nil
	}
	overlay := p.temporary(in.stem + ".overlay")
	p.add("toolkit", append([]string{"respell", overlay}, files...)...)
	return []string{"-ivfsoverlay", overlay}
}
