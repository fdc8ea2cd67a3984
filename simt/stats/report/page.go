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
)

//go:embed assets
var assets embed.FS

// asset returns a part of the page.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("report: " + err.Error()) // it is built in
	}
	return string(data)
}

// page is what the template of the whole page is given.
type page struct {
	*Report
	Title  string
	Style  template.CSS
	Begin  template.JS // before anything is shown
	Script template.JS
	Policy string // what the browser may do: nothing but show this page and run its script
	Views  []*kernelView
}

// begin hides all parts of the page but the first before they are laid out, where there is the
// script that shows them.
const begin = "document.documentElement.classList.add('js')"

// hashOf names a script in a content security policy.
func hashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the page. What it is given is the same whenever the statistics are.
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
		Style:  template.CSS(asset("page.css")+asset("code.css")) + rampStyle(),
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

// name says in a word what was run.
func (r *Report) name() string {
	if r.Run.Program == "" {
		return "a run"
	}
	return filepath.Base(r.Run.Program)
}
