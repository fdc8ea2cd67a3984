package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"jacquard/cubin/plain"
	"jacquard/tesla"
)

// carriedInfo is what there is to say of a file with images inside.
type carriedInfo struct {
	File   string             `json:"file"`
	Kind   string             `json:"container"`
	Images []carriedImageInfo `json:"images"`
}

type carriedImageInfo struct {
	Number      int        `json:"number"`
	Container   string     `json:"container"`
	Target      string     `json:"target"`
	Stored      int        `json:"stored"` // bytes
	Compression string     `json:"compression"`
	Section     string     `json:"section,omitempty"` // of the program
	Offset      int64      `json:"offset"`            // of the fat binary in the file
	Source      string     `json:"source,omitempty"`
	Error       string     `json:"error,omitempty"` // what is wrong with it
	Image       *imageInfo `json:"image,omitempty"` // if it is for sm_10 .. sm_13
}

// showImages lists the images of a file, and says what those for sm_10 .. sm_13 hold. A broken one is an error, after
// everything has been shown.
func showImages(out io.Writer, file *carried, f *infoFlags) error {
	info := carriedInfo{File: file.path, Kind: file.kind}
	var broken error
	for i := range file.images {
		image := &file.images[i]
		line := carriedImageInfo{
			Number: image.number, Container: image.Container.String(), Target: image.Target(), Stored: image.Stored(),
			Compression: image.Compression.String(), Section: image.module.Section, Offset: image.module.Offset, Source: image.Source,
		}
		if image.Runs(tesla.SM13) {
			var err error
			if line.Image, err = inspect(file, image, f); err != nil {
				var usage *usageError
				if errors.As(err, &usage) {
					return err
				}
				broken, line.Error = err, err.Error()
			}
		}
		info.Images = append(info.Images, line)
	}
	if f.json {
		if err := json.NewEncoder(out).Encode(info); err != nil {
			return err
		}
		return broken
	}
	if err := info.print(out, f); err != nil {
		return err
	}
	return broken
}

func (i *carriedInfo) print(out io.Writer, f *infoFlags) error {
	plain.Fprintf(out, "%s: %s with %d images\n", i.File, i.Kind, len(i.Images))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "image\tkind\tfor\tbytes\tcompression\tsection\tsource")
	for _, l := range i.Images {
		plain.Fprintf(w, "%d\t%s\t%s\t%d\t%s\t%s\t%s\n", l.Number, l.Container, l.Target, l.Stored, l.Compression, orDash(l.Section), orDash(l.Source))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range i.Images {
		if l.Image == nil {
			continue
		}
		fmt.Fprintln(out)
		if err := l.Image.print(out, f); err != nil {
			return err
		}
	}
	return nil
}

// orDash shows that there is nothing to say.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
