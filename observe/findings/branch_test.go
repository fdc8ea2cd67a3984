package findings

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/check"
)

// A statement encloses the lines of its body, and of what follows else.
func TestEncloses(t *testing.T) {
	for text, want := range map[string]bool{
		"if (t < n) {\na[t] = 1;\nBAR\n}":                         true,
		"if (t < n)\nBAR":                                         true,
		"if (t >= n)\nreturn;\nBAR":                               false,
		"if (t >= n) {\na[t] = 0;\nreturn;\n}\nBAR":               false,
		"if (t >= n) return; // {\nBAR":                           false,
		"if (s[t] == '{') /* {\n */ return;\nBAR":                 false,
		"if (f(\"{\", t)) return;\nBAR":                           false,
		"if (t >= n)\na[t] = 0;\nelse\nBAR":                       true,
		"if (t >= n) {\na[t] = 0;\n} else if (t > 3) {\nBAR\n}":   true,
		"for (int i = 0; i < n; i++)\nif (a[i])\nBAR":             true,
		"for (int i = 0; i < n; i++) a[i] = (b[i] ? 1 : 2);\nBAR": false,
		"while (n--) {\nif (a[n]) { b[n] = 1; }\nBAR\n}":          true,
		"switch (t) {\ncase 1:\nBAR\n}":                           true,
		"a[t] = 1;\nBAR":                                          false,
		"if (t < n) f([=] {\nreturn;\n});\nBAR":                   false,
		"if (t < n\n&& t > 0) {\nint k = 7;\nBAR\n}":              true,
		"if (t < n) {\n":                                          false,
		"} else if (t < n) {\nBAR\n}":                             true,
		"if (t < n) { if (m) return;\nBAR\n}":                     true,
		"if (m) return; }\nBAR":                                   false,
		"unsigned iffy = t;\nBAR":                                 false,
	} {
		lines := strings.Split(text, "\n")
		line := len(lines) + 1
		for i := range lines {
			if lines[i] == "BAR" {
				lines[i], line = "__syncthreads();", i+1
			}
		}
		require.Equal(t, want, encloses(lines, 1, line), text)
	}
	require.False(t, encloses(nil, 1, 2))
	require.False(t, encloses([]string{"if (a) {", "}"}, 0, 2))
}

// The word of a finding is that of the source, if it is there, also in a function that is inlined.
func TestBranches(t *testing.T) {
	site := func(role string, lines ...int) check.Site {
		s := check.Site{Role: role}
		for i, n := range lines {
			s.Stack = append(s.Stack, check.Frame{Function: string(rune('f' + len(lines) - 1 - i)), File: "k.cu", Line: n})
		}
		return s
	}
	text := "void f() {\nif (t < n) {\ng();\n}\n}"
	for _, c := range []struct {
		text         string
		barrier, end check.Site
		want         string
	}{
		{text, site("barrier", 3), site("end", 2), check.Divergent},
		{text, site("barrier", 90, 3), site("end", 2), check.Divergent},
		{text, site("barrier", 90, 5), site("end", 2), check.AfterExit},
		{"", site("barrier", 3), site("end", 2), check.AfterExit},
		{text, site("barrier", 3), check.Site{Role: "end"}, check.AfterExit},
	} {
		r := Report{Findings: []check.Finding{{Kind: check.KindSync, What: check.AfterExit, At: c.barrier, With: []check.Site{c.end}}}}
		r.Branches(&Sources{Open: func(string) ([]byte, error) { return []byte(c.text), nil }})
		require.Equal(t, c.want, r.Findings[0].What, c)
		require.Equal(t, c.want == check.Divergent, r.Findings[0].Text == check.GoAround)
	}
}
