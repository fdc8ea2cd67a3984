// Command playground makes the folder of the playground of its parts: "make playground" calls it.
//
//	go run ./cmd/gen/playground -wasm main.wasm -exec wasm_exec.js -script page.js -licences LICENSES.txt -o build/playground
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"

	"jacquard/study/playground/page"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	f := flag.NewFlagSet("playground", flag.ContinueOnError)
	wasm := f.String("wasm", "", "the simulator, compiled from cmd/playground")
	exec := f.String("exec", "", "wasm_exec.js of the Go that compiled it")
	script := f.String("script", "", "the bundled script of the page")
	licences := f.String("licences", "", "the licences of what is in the script")
	lessons := f.String("lessons", "testdata/lessons", "the folder of the lessons")
	out := f.String("o", "build/playground", "the folder to write")
	if err := f.Parse(args); err != nil {
		return err
	}
	var p page.Parts
	var err error
	for _, part := range []struct {
		path string
		to   *[]byte
	}{{*wasm, &p.Wasm}, {*exec, &p.Exec}, {*script, &p.Script}, {*licences, &p.Licences}} {
		data, failed := os.ReadFile(part.path)
		err = cmp.Or(err, failed)
		*part.to = data
	}
	if err != nil {
		return err
	}
	if p.Lessons, err = page.Lessons(*lessons); err != nil {
		return err
	}
	return page.Write(*out, &p)
}
