package options

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var table = Table{
	{Long: "gpu-architecture", Short: "arch", Kind: Value, Value: "ARCH", Help: "an architecture"},
	{Long: "compiler-options", Short: "Xcompiler", Kind: List, Value: "OPTION,..."},
	{Long: "include-path", Short: "I", Kind: Joined},
	{Long: "library", Short: "l", Kind: Joined},
	{Long: "library-path", Short: "L", Kind: Joined},
	{Long: "lib"},
	{Long: "use_fast_math"},
	{Long: "fmad", Kind: Bool},
	{Long: "output-file", Short: "o", Kind: Value},
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []Given
	}{
		{nil, nil},
		{[]string{"a.cu", "-"}, []Given{{Value: "a.cu"}, {Value: "-"}}},
		{[]string{"-arch=sm_13"}, []Given{{"gpu-architecture", "sm_13"}}},
		{[]string{"-arch", "sm_13"}, []Given{{"gpu-architecture", "sm_13"}}},
		{[]string{"--arch", "sm_13"}, []Given{{"gpu-architecture", "sm_13"}}},
		{[]string{"-gpu-architecture=sm_13"}, []Given{{"gpu-architecture", "sm_13"}}},
		{[]string{"--gpu-architecture", "sm_13"}, []Given{{"gpu-architecture", "sm_13"}}},
		{[]string{"-Idir", "-I", "dir", "-I=dir"}, []Given{{"include-path", "dir"}, {"include-path", "dir"}, {"include-path", "dir"}}},
		{[]string{"-lm", "-lib", "-Llib", "-libs"}, []Given{{"library", "m"}, {"lib", "true"}, {"library-path", "lib"}, {"library", "ibs"}}},
		{[]string{"--use_fast_math", "-lib", "-use_fast_math=false"}, []Given{{"lib", "true"}}},
		{[]string{"-use_fast_math=false", "-use_fast_math=true"}, []Given{{"use_fast_math", "true"}}},
		{[]string{"-fmad=false", "-fmad", "true"}, []Given{{"fmad", "false"}, {"fmad", "true"}}},
		{[]string{"-Xcompiler", "-Wall,-O2"}, []Given{{"compiler-options", "-Wall,-O2"}}},
		{[]string{"-o", "-strange"}, []Given{{"output-file", "-strange"}}},
	} {
		got, err := table.Parse(c.args)
		require.NoError(t, err, "%q", c.args)
		require.Equal(t, c.want, got, "%q", c.args)
	}
}

func TestParseErrors(t *testing.T) {
	for arg, want := range map[string]string{
		"-nothing":           "-nothing: unknown option; --help lists the options",
		"--lm":               "--lm: unknown option; --help lists the options",
		"-o":                 "-o: the value is missing",
		"-use_fast_math=yes": "-use_fast_math=yes: want true or false",
		"-fmad=1":            "-fmad=1: want true or false",
	} {
		_, err := table.Parse([]string{arg})
		require.EqualError(t, err, want)
	}
}

func TestSplit(t *testing.T) {
	for list, want := range map[string][]string{
		"":                   nil,
		"-Wall,-O2":          {"-Wall", "-O2"},
		"-Wl\\,-rpath\\,.":   {"-Wl\\,-rpath\\,."},
		`"-Wl,-rpath,.",-g`:  {`"-Wl,-rpath,."`, "-g"},
		`'-DTEXT="a,b"',,-g`: {`'-DTEXT="a,b"'`, "-g"},
	} {
		require.Equal(t, want, Split(list), list)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                   nil,
		" -O2  -Wall ":       {"-O2", "-Wall"},
		`-DA="a b" c`:        {"-DA=a b", "c"},
		`'-DTEXT="a b"'`:     {`-DTEXT="a b"`},
		`-Wl\,-rpath\,a\ b`:  {"-Wl,-rpath,a b"},
		`"a\"b" "unfinished`: {`a"b`, "unfinished"},
	} {
		require.Equal(t, want, Words(text), text)
	}
}

func TestQuote(t *testing.T) {
	for _, word := range []string{"", "-O2", "a b", "it's", `"`, "$x", "a=b,c"} {
		require.Equal(t, word, append(Words(Quote(word)), "")[0])
	}
}

func FuzzWords(f *testing.F) {
	f.Add(`a "b c" 'd' \e`)
	f.Fuzz(func(t *testing.T, text string) {
		if text != "" {
			require.Equal(t, []string{text}, Words(Quote(text)))
		}
		Words(text)
		Split(text)
	})
}

func TestParseLeading(t *testing.T) {
	for _, c := range []struct{ args, rest []string }{
		{nil, nil},
		{[]string{"-lm"}, nil},
		{[]string{"-lm", "a", "-lm", "--", "b"}, []string{"a", "-lm", "--", "b"}},
		{[]string{"-lm", "--", "-b", "--"}, []string{"-b", "--"}},
		{[]string{"-l", "m", "--"}, []string{}},
	} {
		given, rest, err := table.ParseLeading(c.args)
		require.NoError(t, err)
		require.Equal(t, c.rest, rest)
		require.Equal(t, len(c.args) > 0, len(given) == 1)
	}
	_, _, err := table.ParseLeading([]string{"-what", "a"})
	require.EqualError(t, err, "-what: unknown option; --help lists the options")
}
