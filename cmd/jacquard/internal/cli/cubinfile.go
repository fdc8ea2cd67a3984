package cli

import (
	"fmt"
	"strings"

	"jacquard/cubin"
)

// elfCubin returns img as an ELF cubin that the tool can read.
func elfCubin(img *cubin.Image) ([]byte, error) {
	data, err := cubin.FormatELF(img)
	if err != nil {
		return nil, err
	}
	return readable(data)
}

// textCubin returns img as a text cubin that the tool can read. It refuses an image that would
// compute something else there. remedy says how to get an ELF cubin.
func textCubin(img *cubin.Image, remedy string) ([]byte, error) {
	if lost := lostInText(img); lost != "" {
		return nil, fmt.Errorf("a text cubin cannot hold %s: %s", lost, remedy)
	}
	return readable(cubin.Format(img))
}

// readable returns data, or why [cubin.Parse] refuses it: numbers that no device takes, or two
// things of one name.
func readable(data []byte) ([]byte, error) {
	if _, err := cubin.Parse(data); err != nil {
		return nil, fmt.Errorf("the cubin would not load: %w", err)
	}
	return data, nil
}

// lostInText names content that kernels compute with and a text cubin has no place for; "" is
// nothing.
func lostInText(img *cubin.Image) string {
	for _, name := range namesOf(img) {
		if strings.ContainsAny(name, " \t\r\n{}=") {
			return fmt.Sprintf("the name %q", name)
		}
	}
	for _, s := range img.Samplers {
		if s.Unit < 0 {
			return fmt.Sprintf("the texture reference %s, whose unit each kernel chooses", s.Name)
		}
	}
	for _, g := range img.Globals {
		if len(g.Slots) != 1 || g.Slots[0].Addend != 0 {
			return fmt.Sprintf("the variable %s, whose address stands in %s of bank %d: one without addend has a place",
				g.Name, counted(len(g.Slots), "slot", "slots"), cubin.AddressBank)
		}
	}
	for i := range img.Kernels {
		if k := &img.Kernels[i]; len(k.Textures) > 0 {
			return fmt.Sprintf("the texture units of kernel %s alone", k.Name)
		}
	}
	switch {
	case len(img.Pointers) > 0:
		return "addresses in initial content"
	case len(img.Segments) > 0:
		return fmt.Sprintf("content of bank %d that all kernels share", img.Segments[0].Bank)
	}
	return ""
}

// namesOf returns all names in img.
func namesOf(img *cubin.Image) []string {
	names := []string{img.Name}
	for i := range img.Kernels {
		names = append(names, img.Kernels[i].Name)
	}
	for _, v := range img.Constants {
		names = append(names, v.Name)
	}
	for _, v := range img.Globals {
		names = append(names, v.Name)
	}
	for _, s := range img.Samplers {
		names = append(names, s.Name)
	}
	return names
}
