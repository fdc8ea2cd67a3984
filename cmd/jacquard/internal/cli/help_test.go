package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// commands calls f with every command of the tool.
func commands(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		commands(sub, f)
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	root := newRoot(Streams{})
	commands(root, func(c *cobra.Command) {
		var out bytes.Buffer
		require.Zero(t, Main(append(strings.Fields(c.CommandPath())[1:], "--help"), Streams{Out: &out}))
		help, examples, _ := strings.Cut(out.String(), "Examples:")
		_, flags, _ := strings.Cut(examples, "\nFlags:")
		for line := range strings.Lines(help + flags) { // examples may be copied, and are not broken
			require.LessOrEqual(t, utf8.RuneCountInString(line), helpWidth+1, "%s: %s", c.CommandPath(), line)
		}
	})
}

// Flags name their values by words of their own.
func TestFlagsHavePlaceholders(t *testing.T) {
	own := regexp.MustCompile("^[A-Z]")
	commands(newRoot(Streams{}), func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); name != "" {
				require.Regexp(t, own, name, "%s --%s", c.CommandPath(), f.Name)
			}
		})
	})
}

// Every command stands in the help of the tool, and once.
func TestEveryCommandIsListed(t *testing.T) {
	var out bytes.Buffer
	require.Zero(t, Main([]string{"--help"}, Streams{Out: &out}))
	for _, c := range newRoot(Streams{}).Commands() {
		require.Equal(t, 1, strings.Count(out.String(), "\n  "+c.Name()+" "), c.Name())
	}
}

func TestCompletionOfKnobs(t *testing.T) {
	var out, errs bytes.Buffer
	require.Zero(t, Main([]string{"__complete", "exec", "--device", ""}, Streams{Out: &out, Err: &errs}))
	require.Equal(t, "8800gtx\n9800gx2\ngt240\ngtx280\nc1060\n:4\n", out.String())
}

// The flags that the README, the pages of docs and the examples use are there.
func TestDocumentedFlagsExist(t *testing.T) {
	known := map[string]bool{}
	var texts strings.Builder
	commands(newRoot(Streams{}), func(c *cobra.Command) {
		known[c.Name()] = true
		c.Flags().VisitAll(func(f *pflag.Flag) { known[c.Name()+" --"+f.Name] = true })
		texts.WriteString(c.Example + "\n")
	})
	pages, err := filepath.Glob("../../../../docs/*.md")
	require.NoError(t, err)
	for _, page := range append(pages, "../../../../README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		texts.WriteString(strings.ReplaceAll(string(text), "\\\n", ""))
	}
	call := regexp.MustCompile(`jacquard (trace [a-z]+|sweep (?:status|cancel|report)|[a-z]+)((?: [^` + "`" + `|&>#\n]*)?)`)
	flag := regexp.MustCompile(` --([a-z][a-z0-9-]*)`)
	checked := 0
	for _, m := range call.FindAllStringSubmatch(texts.String(), -1) {
		words := strings.Fields(m[1])
		name := words[len(words)-1]
		if !known[name] {
			continue // prose
		}
		rest, _, _ := strings.Cut(m[2], " -- ")
		for _, f := range flag.FindAllStringSubmatch(rest, -1) {
			if f[1] != "help" {
				require.True(t, known[name+" --"+f[1]], m[0])
				checked++
			}
		}
	}
	require.Greater(t, checked, 50)
}

// Short examples run if they need only files of testdata and leave no file.
func TestExamplesRun(t *testing.T) {
	t.Chdir("../../../..")
	ready := regexp.MustCompile(`testdata/mesa|probe --op |--list( |$)|policies$|version$`)
	long := regexp.MustCompile(`mesa-kernels( |$)|--table3|--stats|--trace|--html| -o `)
	ran := 0
	commands(newRoot(Streams{}), func(c *cobra.Command) {
		for example := range strings.Lines(strings.ReplaceAll(c.Example, "\\\n", "")) {
			example = strings.TrimSpace(example)
			if !ready.MatchString(example) || long.MatchString(example) {
				continue
			}
			var out, errs bytes.Buffer
			require.Zero(t, Main(words(example)[1:], Streams{Out: &out, Err: &errs}), "%s\n%s", example, errs.String())
			require.NotEmpty(t, out.String(), example)
			ran++
		}
	})
	require.GreaterOrEqual(t, ran, 8)
}

// words splits a command line as a shell does that knows of no other quotes than ".
func words(line string) []string {
	var list []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// Commands that launch say which knobs are environment variables too; the others have none.
func TestKnobsInHelp(t *testing.T) {
	for name, has := range map[string]bool{"exec": true, "run": true, "dis": false} {
		var out bytes.Buffer
		require.Zero(t, Main([]string{name, "--help"}, Streams{Out: &out}))
		require.Equal(t, has, strings.Contains(out.String(), "\nKnobs, each also an environment variable"), name)
		require.Equal(t, has, strings.Contains(out.String(), "--device "), name)
		require.Contains(t, out.String(), "\nFlags:\n")
	}
}
