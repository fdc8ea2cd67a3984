package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"

	"jacquard/simt/cfg/flowchart"
)

//go:embed assets
var assets embed.FS

// asset returns an embedded file.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("report: " + err.Error()) // the file is embedded
	}
	return string(data)
}

// page is the data of the page's template.
type page struct {
	*Report
	Title  string
	Style  template.CSS
	Begin  template.JS // runs before the first layout
	Script template.JS
	// Policy is the content security policy: the page shows itself, runs its script, and nothing
	// else.
	Policy string
	Views  []*kernelView
}

// begin is the script that hides all parts of the page but the first, before layout. Without
// scripts all parts stay visible.
const begin = "document.documentElement.classList.add('js')"

// hashOf names a script in a content security policy.
func hashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the page. Equal statistics give equal bytes.
func (r *Report) Write(w io.Writer) error {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"count": count, "percent": percent, "one": one, "took": took, "plural": plural, "shape": shape, "width": styleOf,
		"histogram": histogram, "ramp": ramp, "total": total, "times": times, "ratio": ratio,
	}).ParseFS(assets, "assets/*.html")
	if err != nil {
		return err
	}
	script := asset("page.js")
	p := &page{
		Report: r, Title: r.name(), Begin: begin, Script: template.JS(script),
		Style:  Style() + template.CSS(flowchart.InlineStyle+asset("code.css")),
		Policy: fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src %s %s; img-src data:; base-uri 'none'; form-action 'none'", hashOf(begin), hashOf(script)),
	}
	coded := r.coded()
	for i, k := range r.Kernels {
		p.Views = append(p.Views, k.view(r, i < coded))
	}
	b := bufio.NewWriter(w)
	if err := t.Execute(b, p); err != nil {
		return err
	}
	return b.Flush()
}

// name names the program in one word.
func (r *Report) name() string {
	if r.Run.Program == "" {
		return "a run"
	}
	return filepath.Base(r.Run.Program)
}
