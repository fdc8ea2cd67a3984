package knobs

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Crosscheck is the value of the crosscheck knob: another libcuda that repeats the program's work,
// and how to compare its results (board/mirror).
type Crosscheck struct {
	Library string // the path
	Every   int    // launches per comparison; 0: compare before memory is freed, and at the end
	PTX     string // file or folder of PTX for kernels that the other cannot load; "" for none
	Report  string // a file to which the outcome is appended as a line of JSON; "" for none
}

// optionsBegin matches the start of options. The library and values of options may be paths with
// colons and slashes.
var optionsBegin = regexp.MustCompile(`:[a-z]*(=|$)`)

// ParseCrosscheck splits PATH[:OPTIONS], the form of JACQUARD_CROSSCHECK. Options begin at the
// first colon before a name and an equals sign.
func ParseCrosscheck(text string) (c Crosscheck, err error) {
	c.Every = 1
	library, options, some := text, "", false
	if i := optionsBegin.FindStringIndex(text); i != nil {
		library, options, some = text[:i[0]], text[i[0]+1:], true
	}
	c.Library = library
	if !strings.Contains(c.Library, "/") || path.Base(c.Library) == "/" || strings.HasSuffix(c.Library, "/") {
		return c, fmt.Errorf("%q is no path of a library: want a path with a slash in it, "+
			"as in /usr/lib/libcuda.so.1, and perhaps a colon and options", c.Library)
	}
	if !some {
		return c, nil
	}
	for part := range strings.SplitSeq(options, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch {
		case key == "every" && value == "end":
			c.Every = 0
		case key == "every":
			if c.Every, err = strconv.Atoi(value); err != nil || c.Every < 1 {
				return c, fmt.Errorf("every=%q: want a number above 0, or end", value)
			}
		case key == "ptx" && value != "":
			c.PTX = value
		case key == "report" && value != "":
			c.Report = value
		default:
			return c, fmt.Errorf("unknown option %q: want every=N, every=end, ptx=PATH or report=FILE, with commas between", part)
		}
	}
	return c, nil
}

// String returns c in the form of ParseCrosscheck.
func (c Crosscheck) String() string {
	var options []string
	switch c.Every {
	case 1:
	case 0:
		options = append(options, "every=end")
	default:
		options = append(options, "every="+strconv.Itoa(c.Every))
	}
	if c.PTX != "" {
		options = append(options, "ptx="+c.PTX)
	}
	if c.Report != "" {
		options = append(options, "report="+c.Report)
	}
	if len(options) == 0 {
		return c.Library
	}
	return c.Library + ":" + strings.Join(options, ",")
}
