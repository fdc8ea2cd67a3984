package page

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"

	"jacquard/observe/player"
	"jacquard/study/playground"
)

//go:embed assets
var assets embed.FS

// asset returns an embedded file.
func asset(name string) []byte {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("page: " + err.Error()) // the file is embedded
	}
	return data
}

// Parts are the parts of a page.
type Parts struct {
	Wasm     []byte // cmd/playground, compiled
	Exec     []byte // the runtime's wasm_exec.js, of the same Go
	Script   []byte // folder script, bundled
	Licences []byte // the licences of Script's parts
	Lessons  []*Lesson
}

// Write writes the page to a folder: index.html with the files that it needs, and the lessons as
// tests. Equal parts give equal files.
func Write(dir string, p *Parts) error {
	code, err := simulator(p)
	if err != nil {
		return err
	}
	index, err := index(p.Lessons)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"index.html": index, "page.css": asset("page.css"), "page.js": p.Script, "simulator.js": code, "LICENSES.txt": p.Licences,
	}
	for _, l := range p.Lessons {
		test, err := json.MarshalIndent(l.State.Test, "", " ")
		if err != nil {
			return err
		}
		folder := filepath.Join("lessons", l.Name)
		files[filepath.Join(folder, "test.json")] = append(test, '\n')
		files[filepath.Join(folder, l.State.Test.Builds[0].File)] = []byte(l.State.Text)
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// simulator returns a script that carries the worker's code and the compressed program: pages from a
// disk may not read other files.
func simulator(p *Parts) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(p.Wasm); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(map[string]string{"exec": string(p.Exec), "glue": string(asset("worker.js")), "wasm": base64.StdEncoding.EncodeToString(packed.Bytes())})
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "globalThis.jacquardCode = %s;\n", data), nil
}

// index returns index.html. Workers and the player's frame inherit its content security policy.
func index(lessons []*Lesson) ([]byte, error) {
	if len(lessons) == 0 {
		return nil, errors.New("a page has at least one lesson")
	}
	t, err := template.ParseFS(assets, "assets/index.html")
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(lessons)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, map[string]any{
		"Lessons": template.JS(data), "Loaded": template.JS("null"),
		"Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' " + player.HashOf(player.Bytes()+player.Script()) + "; worker-src blob:; style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
	})
	return out.Bytes(), err
}

// loaded is the place of a state in index.html.
var loaded = []byte(`<script type="application/json" id="loaded">null</script>`)

// Load returns an index.html that opens with a state. The error says that index is none.
func Load(index []byte, s *playground.State) ([]byte, error) {
	if bytes.Count(index, loaded) != 1 {
		return nil, errors.New("no page of the playground: it has no place for a kernel")
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	with := bytes.Replace(loaded, []byte("null"), data, 1)
	return bytes.Replace(index, loaded, with, 1), nil
}
