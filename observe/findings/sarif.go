package findings

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"jacquard/simt/check"
)

// The parts of SARIF 2.1.0 that a report has.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Bases       map[string]any    `json:"originalUriBaseIds,omitempty"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		CommandLine string `json:"commandLine,omitempty"`
		Successful  bool   `json:"executionSuccessful"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations,omitempty"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Occurrences  uint64             `json:"occurrenceCount"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind string `json:"kind"`
	}
	sarifLocation struct {
		ID       *int           `json:"id,omitempty"`
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		Line    int        `json:"startLine"`
		Snippet *sarifText `json:"snippet,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

// sarifBase is the name of the folder of sources in a SARIF file.
const sarifBase = "SRCROOT"

// SARIF writes a report as SARIF 2.1.0, with notes and suppressed findings. Files in the sources'
// folder have names relative to it.
func (r *Report) SARIF(w io.Writer, s *Sources) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "jacquard", Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{commandLine(r.Program), r.Complete}},
		Results:     []sarifResult{},
	}
	if s.Folder != "" {
		run.Bases = map[string]any{sarifBase: sarifArtifact{URI: uri(s.Folder) + "/"}}
	}
	for i := range r.Findings {
		run.add(s, &r.Findings[i])
	}
	for i := range r.Suppressed {
		run.add(s, &r.Suppressed[i])
		run.Results[len(run.Results)-1].Suppressions = []sarifSuppression{{"external"}}
	}
	return writeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// add adds the result of a finding, and its rule if that is new.
func (r *sarifRun) add(s *Sources, f *check.Finding) {
	id := string(f.Kind) + "/" + f.What
	rules := &r.Tool.Driver.Rules
	rule := slices.IndexFunc(*rules, func(r sarifRule) bool { return r.ID == id })
	if rule < 0 {
		rule = len(*rules)
		*rules = append(*rules, sarifRule{id, sarifText{cmp.Or(Meaning(f.Kind, f.What), f.Text)}})
	}
	message := heading(f) + ": " + f.Text
	if f.Advice != "" {
		message += ". " + f.Advice
	}
	result := sarifResult{RuleID: id, RuleIndex: rule, Level: f.Level.String(), Message: sarifText{message}, Occurrences: f.Count}
	result.Locations = append(result.Locations, s.sarif(f, &f.At, nil))
	for i := range f.With {
		result.Related = append(result.Related, s.sarif(f, &f.With[i], &i))
	}
	r.Results = append(r.Results, result)
}

// sarif returns the location of a site.
func (s *Sources) sarif(f *check.Finding, at *check.Site, id *int) (l sarifLocation) {
	l.ID, l.Message = id, &sarifText{act(f, at)}
	if u, ok := at.User(); ok {
		p := sarifPhysical{Artifact: sarifArtifact{URI: uri(s.short(u.File))}, Region: sarifRegion{Line: max(u.Line, 1)}}
		if !filepath.IsAbs(s.short(u.File)) && s.Folder != "" {
			p.Artifact.Base = sarifBase
		}
		if text := s.line(u.File, u.Line); text != "" {
			p.Region.Snippet = &sarifText{text}
		}
		l.Physical = &p
	}
	switch {
	case at.Device != nil && kernelAt(f, at) != "":
		l.Logical = []sarifLogical{{fmt.Sprintf("%s+0x%x", Name(kernelAt(f, at)), at.Device.PC), "function"}}
	case at.Call != "":
		l.Logical = []sarifLogical{{at.Call, "function"}}
	}
	return l
}
