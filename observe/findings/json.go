package findings

import (
	"encoding/json"
	"io"
	"slices"

	"jacquard/simt/check"
)

// version is the version of the form of the JSON.
const version = 1

// named is a finding with the name of its kernel as people write it.
type named struct {
	check.Finding
	Name string `json:"name,omitempty"`
}

// JSON writes a report as one JSON object.
func (r *Report) JSON(w io.Writer) error {
	return writeJSON(w, struct {
		Version    int          `json:"version"`
		Program    []string     `json:"program,omitempty"`
		Checks     []check.Kind `json:"checks"`
		Complete   bool         `json:"complete"`
		Errors     int          `json:"errors"`
		Notes      int          `json:"notes"`
		Findings   []named      `json:"findings"`
		Suppressed []named      `json:"suppressed"`
	}{version, r.Program, r.Checks.Kinds(), r.Complete, r.Errors(), r.Notes(), names(r.Findings), names(r.Suppressed)})
}

func names(list []check.Finding) []named {
	all := make([]named, len(list))
	for i, f := range list {
		f.At, f.With = alone(f.At), slices.Clone(f.With)
		for k := range f.With {
			f.With[k] = alone(f.With[k])
		}
		all[i] = named{f, ""}
		if f.Kernel != "" {
			all[i].Name = Name(f.Kernel)
		}
	}
	return all
}

// alone returns a site without the code around its instruction.
func alone(s check.Site) check.Site {
	if s.Device != nil {
		s.Device = &check.Point{PC: s.Device.PC, Text: s.Device.Text}
	}
	return s
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
