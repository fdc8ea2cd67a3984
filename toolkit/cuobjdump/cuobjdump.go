package cuobjdump

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/internal/plain"
)

// Run runs cuobjdump with arguments. Text goes to stdout, extracted files go to the current
// folder.
func Run(args []string, stdout io.Writer) error {
	given, done, err := tool.Parse(args, stdout)
	if done || err != nil {
		return err
	}
	s, err := parse(given)
	if err != nil {
		return err
	}
	for _, path := range s.files {
		if err := s.file(path, stdout); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// image is one form of a module, and the name under which it is listed and extracted.
type image struct {
	*cubin.Entry
	name   string
	member string // of the archive that the module lies in; "" outside of archives
}

// images returns the images of a file that the command line does not leave out.
func (s *settings) images(path string) (list []image, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found, err := carrier.Find(data)
	if err != nil {
		return nil, err
	}
	count := 0
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for _, m := range found.Modules {
		for i := range m.Contents.Entries {
			e := &m.Contents.Entries[i]
			count++
			end := "cubin"
			if e.Container == cubin.PTX {
				end = "ptx"
			}
			if s.arch == 0 || s.arch == e.Arch {
				list = append(list, image{e, fmt.Sprintf("%s.%d.sm_%d.%s", stem, count, e.Arch, end), m.Member})
			}
		}
	}
	if count == 0 {
		return nil, fmt.Errorf("no device code")
	}
	return list, nil
}

// file carries out the command line for one file.
func (s *settings) file(path string, out io.Writer) error {
	images, err := s.images(path)
	if err != nil {
		return err
	}
	numbers, member := map[bool]int{}, ""
	for _, i := range images {
		if i.member != member {
			member = i.member
			plain.Fprintf(out, "member %s:%s:\n", path, member)
		}
		ptx := i.Container == cubin.PTX
		kind := map[bool]string{false: "elf", true: "ptx"}[ptx]
		numbers[ptx]++
		if s.on["list-"+kind] {
			fmt.Fprintf(out, "%s file %4d: %s\n", strings.ToUpper(kind), numbers[ptx], i.name)
		}
		if pattern, ok := s.extract["extract-"+kind]; ok && (pattern == "all" || strings.Contains(i.name, pattern)) {
			if err := i.extract(out); err != nil {
				return err
			}
		}
		if err := s.dump(i, out); err != nil {
			return err
		}
	}
	return nil
}

// extract writes an image to a file of its name.
func (i image) extract(out io.Writer) error {
	data, err := i.content()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Extracting %s\n", i.name)
	return os.WriteFile(i.name, data, 0o666)
}

// content returns the bytes of an image. Texts end before the zeros that fill up their places.
func (i image) content() ([]byte, error) {
	data, err := i.Data()
	if err != nil || i.Container == cubin.ELF {
		return data, err
	}
	return []byte(strings.TrimRight(string(data), "\x00")), nil
}
