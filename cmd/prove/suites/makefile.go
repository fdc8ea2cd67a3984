package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	continued = regexp.MustCompile(`\\[ \t]*\r?\n`)
	// The SDK's programs name their sources in these variables. A suffix such as _sm_13 names an
	// architecture; the toolkit compiles for sm_13 without a suffix, which serves all
	// architectures.
	sourceFiles = regexp.MustCompile(`(?m)^[ \t]*((?:CU|CC|C|PTX)FILES)(?:_sm_\d+)?[ \t]*[:+]?=(.*)$`)
)

// makefile holds the sources that a Makefile names for the SDK's build rules.
type makefile struct {
	sources []string
	ptx     []string // sources that are compiled to PTX, for the folder data
}

func readMakefile(dir string) (m makefile, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "Makefile"))
	if err != nil {
		return m, err
	}
	joined := continued.ReplaceAllString(string(text), " ")
	for _, found := range sourceFiles.FindAllStringSubmatch(joined, -1) {
		list := &m.sources
		if found[1] == "PTXFILES" {
			list = &m.ptx
		}
		for _, name := range strings.Fields(found[2]) {
			if _, err := os.Stat(filepath.Join(dir, name)); os.IsNotExist(err) {
				name = filepath.Join("src", name) // the rules look there, too
			}
			*list = append(*list, name)
		}
	}
	if len(m.sources) == 0 {
		return m, fmt.Errorf("%s/Makefile names no sources", dir)
	}
	return m, nil
}
