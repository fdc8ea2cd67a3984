package driver

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Crosscheck is the crosscheck knob's value, understood: another libcuda that the program's work is done on as well, and
// how its results are compared. The driver has no part in it but to tell a witness (libcuda/mirror).
type Crosscheck struct {
	Library string // the path
	Every   int    // compare after so many launches; 0 is only when memory goes, and at the end
	PTX     string // a file or folder of PTX for kernels whose code the other cannot take; "" for none
	Report  string // a file to which what came of it is appended as a line of JSON; "" for none
}

// optionsBegin is where options begin: their values may be paths with colons and slashes, and so may the library's.
var optionsBegin = regexp.MustCompile(`:[a-z]*(=|$)`)

const crosscheckOptions = "every=N, every=end, ptx=PATH or report=FILE, with commas between"

// ParseCrosscheck takes apart PATH[:OPTIONS], as JACQUARD_CROSSCHECK has it: options begin at the first colon with a
// name and an equals sign behind it. The error is a *CrosscheckError.
func ParseCrosscheck(text string) (c Crosscheck, err error) {
	c.Every = 1
	library, options, some := text, "", false
	if i := optionsBegin.FindStringIndex(text); i != nil {
		library, options, some = text[:i[0]], text[i[0]+1:], true
	}
	c.Library = library
	if !strings.Contains(c.Library, "/") || path.Base(c.Library) == "/" || strings.HasSuffix(c.Library, "/") {
		return c, &CrosscheckError{fmt.Sprintf("%q is no path of a library", c.Library), "a path with a slash in it, as in /usr/lib/libcuda.so.1, and perhaps a colon and options"}
	}
	if !some {
		return c, nil
	}
	for _, part := range strings.Split(options, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch {
		case key == "every" && value == "end":
			c.Every = 0
		case key == "every":
			if c.Every, err = strconv.Atoi(value); err != nil || c.Every < 1 {
				return c, &CrosscheckError{fmt.Sprintf("every=%q", value), "a number above 0, or end"}
			}
		case key == "ptx" && value != "":
			c.PTX = value
		case key == "report" && value != "":
			c.Report = value
		default:
			return c, &CrosscheckError{fmt.Sprintf("unknown option %q", part), crosscheckOptions}
		}
	}
	return c, nil
}

// String returns c as ParseCrosscheck reads it.
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

// CrosscheckError is a value that the crosscheck knob does not know.
type CrosscheckError struct{ Text, Want string }

// Error says what is wrong and what would be right.
func (e *CrosscheckError) Error() string { return e.Text + ": want " + e.Want }
