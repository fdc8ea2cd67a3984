package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/simt"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
	"jacquard/study/playground"
	"jacquard/study/playground/page"
	"jacquard/tesla"
)

type playFlags struct {
	jobFlags
	policies  []string
	folder    string
	port      uint16
	noBrowser bool
}

func newPlay() *cobra.Command {
	var f playFlags
	c := &cobra.Command{
		Use:   "play [FILE [KERNEL]]",
		Short: "Open the playground, a page that runs and changes kernels in a browser",
		Long: `Serve the playground on this machine alone, and open it in a browser: an editor, arguments,
device and policies, results, and the player of warps. "make playground" builds its folder.

FILE is loaded: assembly (.s), PTX (.ptx), a test.json or a folder with one, a cubin, a fat
binary or a program, which are disassembled, or a trace (.jqt), which is played. Without FILE
the page begins with its first lesson. The page runs kernels by itself; the command only serves
it, until Ctrl-C.

` + argumentsHelp + `

A kernel that declares parameters gets some arguments if there are none.`,
		Example: `  jacquard play
  jacquard play testdata/lessons/07-lock --policies nvidia,dfs
  jacquard play vecadd.cubin --grid 4 --block 64 --arg buf:1k --arg buf:1k --arg buf:1k --arg u32:256
  jacquard play t.jqt --port 8080 --no-browser`,
		Args: arguments(0, 2, "a file and a kernel"),
		RunE: func(c *cobra.Command, args []string) error { return f.play(c, args) },
	}
	f.add(c)
	fl := c.Flags()
	fl.StringVar(&f.arch, "arch", "", "compile PTX for `ARCH`, or take the build for it of a test: sm_10, sm_11, sm_12 or sm_13")
	fl.StringSliceVar(&f.policies, "policies", nil, "up to four divergence `POLICIES`, with commas between")
	fl.StringVar(&f.folder, "page", "", "the `FOLDER` of the playground (default: playground beside the folder of this program)")
	fl.Uint16Var(&f.port, "port", 0, "serve on port `N`; 0 takes a free one")
	fl.BoolVar(&f.noBrowser, "no-browser", false, "print the address, and open no browser")
	return c
}

func (f *playFlags) play(c *cobra.Command, args []string) error {
	folder, index, err := f.page()
	if err != nil {
		return err
	}
	if len(args) > 0 {
		s, err := f.state(c, args)
		if err != nil {
			return err
		}
		if index, err = page.Load(index, s); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	} else if err := without(c, "the playground without a FILE", slices.Concat(launchFlags, []string{"policies", "arch"})...); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", f.port))
	if err != nil {
		return err
	}
	ctx, stop := until(os.Interrupt)
	defer stop()
	address := "http://" + listener.Addr().String() + "/"
	plain.Fprintf(c.OutOrStdout(), "%s: Ctrl-C ends\n", address)
	if !f.noBrowser {
		openBrowser(c, address)
	}
	return serve(ctx, listener, folder, index)
}

// page returns the folder of the playground, and the content of its page.
func (f *playFlags) page() (folder string, index []byte, err error) {
	folder = f.folder
	if folder == "" {
		program, err := os.Executable()
		if err != nil {
			return "", nil, err
		}
		folder = filepath.Join(filepath.Dir(program), "..", "playground")
	}
	index, err = os.ReadFile(filepath.Join(folder, "index.html"))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil, fmt.Errorf("%s: there is no playground in it: make playground builds one, and --page names its folder", folder)
	}
	return folder, index, err
}

// state returns the page's initial state.
func (f *playFlags) state(c *cobra.Command, args []string) (*playground.State, error) {
	if len(f.policies) > playground.MostPolicies {
		return nil, usagef("--policies: the page runs up to %d, and these are %d", playground.MostPolicies, len(f.policies))
	}
	for _, p := range f.policies {
		if name, _, _ := strings.Cut(p, ":"); !slices.Contains(simt.Policies(), name) {
			return nil, oneOf("policies", p, simt.Policies()...)
		}
	}
	s, err := f.load(c, args)
	if err != nil {
		return nil, err
	}
	if len(f.policies) > 0 {
		s.Policies = f.policies
	}
	return s, nil
}

// load reads a file as its suffix says.
func (f *playFlags) load(c *cobra.Command, args []string) (*playground.State, error) {
	path := args[0]
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch suffix := filepath.Ext(path); {
	case info.IsDir() || suffix == ".json" || suffix == ".jqt":
		if len(args) > 1 {
			return nil, usagef("unexpected argument %q: %s names its kernel", args[1], path)
		}
		if suffix == ".jqt" {
			return f.loadTrace(c, path)
		}
		return f.loadTest(c, path)
	case suffix == ".s" || suffix == ".ptx":
		return f.loadText(args)
	}
	j, err := f.job(args, "")
	if err != nil {
		return nil, err
	}
	entry := j.Images[0]
	img, err := entry.Image()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return playground.OfImage(img, j)
}

func (f *playFlags) loadTest(c *cobra.Command, path string) (*playground.State, error) {
	if err := without(c, "a test", launchFlags...); err != nil {
		return nil, err
	}
	found, err := kerneltest.Find([]string{path})
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s has %d tests: name one", path, len(found))
	}
	t, err := kerneltest.Load(found[0])
	if err != nil {
		return nil, err
	}
	b := &t.Builds[len(t.Builds)-1]
	if f.arch != "" {
		if b, err = t.Build(f.arch); err != nil {
			return nil, err
		}
	}
	return playground.OfTest(t, b)
}

// mostTrace bounds the traces that go into a page.
const mostTrace = 256 << 20

func (f *playFlags) loadTrace(c *cobra.Command, path string) (*playground.State, error) {
	if err := without(c, "a trace", slices.Concat(launchFlags, []string{"arch"})...); err != nil {
		return nil, err
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) > mostTrace {
		return nil, fmt.Errorf("%s has %d MiB: the page takes %d; jacquard trace filter makes a smaller one", path, len(data)>>20, mostTrace>>20)
	}
	s, err := playground.OfTrace(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (f *playFlags) loadText(args []string) (*playground.State, error) {
	text, err := readFile(args[0])
	if err != nil {
		return nil, err
	}
	arch, err := archOr(f.arch, tesla.SM13)
	if err != nil {
		return nil, err
	}
	j := &launch.Job{Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Shared: f.shared}
	if len(args) > 1 {
		j.Kernel = args[1]
	}
	if err := f.fill(j); err != nil {
		return nil, err
	}
	return playground.OfText(string(text), args[0], arch, j), nil
}

// serve answers requests for the files of a folder, and for its page with the loaded state, until
// ctx ends.
func serve(ctx context.Context, l net.Listener, folder string, index []byte) error {
	files := http.FileServer(http.Dir(folder))
	s := &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "no-store")
			if name, _, _ := strings.Cut(r.Host, ":"); name != "127.0.0.1" && name != "localhost" { // other sites' pages must not read loaded files
				http.Error(w, "this server is http://"+l.Addr().String()+"/", http.StatusMisdirectedRequest)
				return
			}
			if r.URL.Path == "/" || r.URL.Path == "/index.html" {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = w.Write(index) // a browser that has gone needs no page
				return
			}
			files.ServeHTTP(w, r)
		}),
	}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser opens the user's browser, and says so if it cannot.
func openBrowser(c *cobra.Command, address string) {
	program := "xdg-open"
	if runtime.GOOS == "darwin" {
		program = "open"
	}
	if err := exec.Command(program, address).Start(); err != nil {
		plain.Fprintf(c.ErrOrStderr(), "no browser was opened: %s\n", err)
	}
}
