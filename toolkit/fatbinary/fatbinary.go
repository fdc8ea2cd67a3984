package fatbinary

import (
	"fmt"
	"io"
	"os"

	"jacquard/cubin"
)

// Run runs fatbinary with arguments. The help goes to stdout.
func Run(args []string, stdout io.Writer) error {
	given, done, err := tool.Parse(args, stdout)
	if done || err != nil {
		return err
	}
	s, err := parse(given)
	if err != nil {
		return err
	}
	var entries []cubin.Entry
	for _, i := range s.images {
		e, err := i.entry()
		if err != nil {
			return fmt.Errorf("%s: %w", i.path, err)
		}
		e.Source = s.source
		entries = append(entries, *e)
	}
	container, err := cubin.FormatFatBinary(entries)
	if err != nil {
		return err
	}
	if s.out != "" {
		if err := os.WriteFile(s.out, container, 0o666); err != nil {
			return err
		}
	}
	if s.embedded != "" {
		return os.WriteFile(s.embedded, embed(container), 0o666)
	}
	return nil
}

// entry reads the file of an image. Its architecture is the file's own: clang calls the machine code
// sm_20 that ptxas made for sm_13.
func (i image) entry() (*cubin.Entry, error) {
	data, err := os.ReadFile(i.path)
	if err != nil {
		return nil, err
	}
	contents, err := cubin.Read(data)
	if err != nil {
		return nil, err
	}
	if n := len(contents.Entries); n != 1 || contents.Container == cubin.FatBinary {
		return nil, fmt.Errorf("a %s, which cannot be an entry of another", contents.Container)
	}
	e := &contents.Entries[0]
	if i.virtual != (e.Container == cubin.PTX) {
		return nil, fmt.Errorf("%s cannot be the code of %s", e.Container, i.profile)
	}
	return e, nil
}
