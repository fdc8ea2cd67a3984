// Command peers compiles the PTX of other projects' tests, and runs tests that have expected
// results.
//
//	go run ./cmd/prove/peers -zluda DIR -llvm DIR -ocelot DIR
//	go run ./cmd/prove/peers -page docs/ptx.md -zluda DIR ...      and put the tables into the page
//
// The folders are checkouts of the projects; docs/ptx.md names the projects. No file of theirs is
// copied.
//
//   - ZLUDA: every test of ptx/src/test/spirv_run/mod.rs. One with inputs and outputs runs as
//     machine code of sm_13 and in the reference interpreter, and both must give those outputs.
//   - LLVM: every .ll file of llvm/test/CodeGen/NVPTX that llc translates by its first RUN line
//     for llc. The PTX is compiled.
//   - gpuocelot: every .ptx file is compiled.
//
// Functions of other modules, which some tests call, give zeros. Every function of LLVM's tests is
// also compiled as a kernel. The exit status is 1 if a result differs and no note gives the reason.
//
// Reading order: outcome.go (results of tests), notes.go (their reasons), whole.go (modules without
// their other half), rust.go (values of Rust sources), zluda.go, machine.go (a run), llvm.go,
// ocelot.go, page.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// peer is a project whose tests are tried.
type peer struct {
	name, title string
	folder      string
	try         func(ctx context.Context, folder string) ([]outcome, error)
}

var errWrong = errors.New("a result is wrong")

func run(ctx context.Context, args []string, w io.Writer) error {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	llc := flags.String("llc", "llc-19", "the llc that translates LLVM's tests")
	path := flags.String("page", "", "put the table into this page")
	peers := []peer{
		{name: "zluda", title: "ZLUDA", try: zluda},
		{name: "llvm", title: "LLVM", try: func(ctx context.Context, dir string) ([]outcome, error) { return llvm(ctx, *llc, dir) }},
		{name: "ocelot", title: "gpuocelot", try: ocelot},
	}
	for i := range peers {
		flags.StringVar(&peers[i].folder, peers[i].name, "", "folder of the sources of "+peers[i].title)
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *path != "" && slices.ContainsFunc(peers, func(p peer) bool { return p.folder == "" }) {
		return errors.New("a page has all projects: give -zluda, -llvm and -ocelot")
	}
	var results []result
	for _, p := range peers {
		if p.folder == "" {
			continue
		}
		all, err := p.try(ctx, p.folder)
		if err != nil {
			return fmt.Errorf("%s: %w", p.title, err)
		}
		results = append(results, result{p.title, all})
	}
	if len(results) == 0 {
		return errors.New("say where a project is: -zluda DIR, -llvm DIR or -ocelot DIR")
	}
	fmt.Fprint(w, table(results))
	if *path != "" {
		if err := insert(*path, results); err != nil {
			return err
		}
	}
	if wrong(results) {
		return errWrong
	}
	return ctx.Err()
}
