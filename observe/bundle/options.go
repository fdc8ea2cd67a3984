package bundle

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Options say which launches a Recorder records. The zero Options record all.
type Options struct {
	Kernels  []string // by name; empty for all
	Launches int      // at most so many; 0 is no limit
}

const optionsHelp = "kernel=NAME (several with + between) or launches=N, with a comma between"

// ParsePath splits PATH[:OPTIONS], the form of JACQUARD_RECORD: options follow the last colon after
// the last slash, none behind a colon at the end. The error is an *OptionError.
func ParsePath(text string) (file string, o Options, err error) {
	file = text
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, '/') {
		file = text[:i]
		o, err = parseOptions(text[i+1:])
	}
	if err == nil && (path.Base(file) == "." || strings.HasSuffix(file, "/")) {
		err = &OptionError{fmt.Sprintf("%q names no file", text), "the path of a file, and perhaps a colon and options"}
	}
	return file, o, err
}

func parseOptions(text string) (o Options, err error) {
	if text == "" {
		return o, nil
	}
	for _, part := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "kernel":
			o.Kernels = strings.Split(value, "+")
			if slices.Contains(o.Kernels, "") {
				return o, &OptionError{"kernel without a name", "names with + between"}
			}
		case "launches":
			if o.Launches, err = strconv.Atoi(value); err != nil || o.Launches < 1 {
				return o, &OptionError{fmt.Sprintf("launches=%q", value), "a number above 0"}
			}
		default:
			return o, &OptionError{fmt.Sprintf("unknown option %q", part), optionsHelp}
		}
	}
	return o, nil
}

// String returns o as ParsePath reads it after the colon, "" for the zero Options.
func (o Options) String() string {
	var parts []string
	if len(o.Kernels) > 0 {
		parts = append(parts, "kernel="+strings.Join(o.Kernels, "+"))
	}
	if o.Launches > 0 {
		parts = append(parts, "launches="+strconv.Itoa(o.Launches))
	}
	return strings.Join(parts, ",")
}

// wants reports whether launches of the kernel are to be recorded.
func (o *Options) wants(kernel string) bool {
	return len(o.Kernels) == 0 || slices.Contains(o.Kernels, kernel)
}
