package findings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// suppressed returns what a file of suppressions knows of the sample, and the error of reading it.
func suppressed(t *testing.T, text string) (list []string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "known")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	s, err := ReadSuppressions(path)
	if err != nil {
		return nil, err
	}
	r := sample()
	s.Apply(r)
	require.Equal(t, 7, len(r.Findings)+len(r.Suppressed))
	for _, f := range r.Suppressed {
		list = append(list, string(f.Kind)+" "+f.What)
	}
	return list, nil
}

func TestSuppressions(t *testing.T) {
	races := []string{"race read-write", "race warp-synchronous"}
	for text, want := range map[string][]string{
		"":                               nil,
		"# race\n\n":                     nil,
		"race":                           races,
		"race read-*":                    races[:1],
		"race * shared":                  races,
		"race * global":                  nil,
		"race kernel=_Z5shiftPi":         races,
		"race kernel=shift(*) # known":   races,
		`race kernel="shift(int*)"`:      races,
		"race kernel=shift":              nil,
		"race at=known.cu":               races,
		"race at=/src/known.cu:3":        races,
		"race at=nown.cu:3":              nil,
		"race at=known.cu:3 with=*.cu:4": races[:1],
		"* at=main":                      {"api unchecked", "leak device"},
		"api call=cudaMem*\nleak * at=known.cu:9": {"api unchecked", "leak device"},
	} {
		got, err := suppressed(t, text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"\nraces":             `:2: "races" is no kind of finding`,
		"race a b c":          `:1: "c": want kernel=, at=, with= or call=`,
		"race file=a":         `:1: "file=a": want kernel=, at=, with= or call=`,
		`race kernel="shift(`: `:1: a quote without an end`,
	} {
		_, err := suppressed(t, text)
		require.ErrorContains(t, err, want)
	}
}

func TestGlob(t *testing.T) {
	for pattern, want := range map[string]bool{
		"": false, "abcabc": true, "*": true, "a*": true, "*c": true, "a*c": true, "*b*b*": true, "abcabc*": true, "**": true,
		"a": false, "*d*": false, "b*": false, "abc*bca*": false, "*b*b*b*": false, "abcab*abc": false,
	} {
		require.Equal(t, want, glob(pattern, "abcabc"), pattern)
	}
	require.False(t, glob(strings.Repeat("*a", 40)+"b", strings.Repeat("a", 4000)), "in time")
}

// What is written suppresses all that it was written of.
func TestWrittenSuppressions(t *testing.T) {
	var b strings.Builder
	require.NoError(t, sample().WriteSuppressions(&b))
	list, err := suppressed(t, b.String())
	require.NoError(t, err)
	require.Len(t, list, 7)
}

func TestXML(t *testing.T) {
	record := func(text string) string {
		return `<?xml version="1.0"?><ComputeSanitizerOutput><record>` + text + `</record></ComputeSanitizerOutput>`
	}
	init, api := []string{"init branch"}, []string{"api unchecked"}
	for text, want := range map[string][]string{
		"<kind>Initcheck</kind>": init,
		"<kind>Initcheck</kind><what><text>Uninitialized __global__ memory read.*</text><size>4</size></what>":                                       init,
		"<kind>Initcheck</kind><what><text>memory read</text></what>":                                                                                nil, // the whole text
		"<kind>Initcheck</kind><what><size>8</size></what>":                                                                                          nil,
		"<kind>Precise</kind><what><size>4</size></what>":                                                                                            {"memory out-of-bounds"},
		"<kind>Initcheck</kind><where><func>shift.*</func><line>3</line></where>":                                                                    init,
		"<kind>Initcheck</kind><where><path>.*/other.cu</path></where>":                                                                              nil,
		"<kind>Race</kind><level>Warning</level>":                                                                                                    {"race warp-synchronous"},
		"<kind>Api</kind><hostStack><saveLocation>error</saveLocation><frame><func>cudaMemcpy</func><module>.*cudart.*</module></frame></hostStack>": api,
		"<kind>Api</kind><hostStack><frame><func>cudaMemcpy</func></frame><frame><func>main</func><offset>0x7</offset></frame></hostStack>":          api,
		"<kind>Api</kind><hostStack><frame><func>main</func></frame></hostStack>":                                                                    nil, // not the innermost
		"<kind>Api</kind><hostStack><frame></frame><frame></frame><frame></frame><frame></frame></hostStack>":                                        nil, // too deep
		"<kind>Initcheck</kind><deviceStack><frame><func>shift.*</func></frame></deviceStack>":                                                       init,
	} {
		got, err := suppressed(t, record(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"":                            "record 1: no <kind>",
		"<kind>Other</kind>":          `<kind> "Other" is not known`,
		"<kind>Api</kind><who></who>": "<who> is not supported as a condition",
		"<kind>Api</kind><what><api>x</api></what>":                  "<api> in <what> is not supported as a condition",
		"<kind>Api</kind><what><size>x</size></what>":                `<size> "x": want a number`,
		"<kind>Api</kind><what><text>(</text></what>":                "missing closing )",
		"<kind>Api</kind><hostStack><a></a></hostStack>":             "<a> in a stack is not supported",
		"<kind>Api</kind><hostStack><frame><a/></frame></hostStack>": "<a> in a frame is not supported",
	} {
		_, err := suppressed(t, record(text))
		require.ErrorContains(t, err, want)
	}
	_, err := suppressed(t, "<a><b></b></a>")
	require.ErrorContains(t, err, "<b>: want <record>")
	_, err = suppressed(t, "<a>")
	require.Error(t, err)
}

func TestKernels(t *testing.T) {
	for pattern, want := range map[string]bool{
		"": true, "shift": true, "shift(int*)": true, "_Z5shiftPi": true, "*hif*": true, "/^shif/": true, "/5shift/": true,
		"shif": false, "/^hift/": false, "*(": false,
	} {
		var patterns []string
		if pattern != "" {
			patterns = []string{"other", pattern}
		}
		keep, err := Kernels(patterns)
		require.NoError(t, err)
		require.Equal(t, want, keep(kernel, Name(kernel)), pattern)
	}
	_, err := Kernels([]string{"/(/"})
	require.ErrorContains(t, err, "/(/: ")
}
