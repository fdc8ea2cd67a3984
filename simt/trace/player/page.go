package player

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
)

// MostRuns is how many runs stand side by side.
const MostRuns = 4

//go:embed assets
var assets embed.FS

// asset returns an embedded file.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("player: " + err.Error()) // the file is embedded
	}
	return string(data)
}

// Write writes a page that plays the first launch of each run, up to most steps of each. There must
// be 1 to MostRuns runs. Equal traces give equal bytes.
func Write(w io.Writer, title string, most int, runs []Run) error {
	if len(runs) == 0 || len(runs) > MostRuns {
		return fmt.Errorf("a page plays 1 to %d runs, not %d", MostRuns, len(runs))
	}
	if most <= 0 {
		return errors.New("a page plays at least one step")
	}
	var all []*run
	for i := range runs {
		r, err := read(&runs[i], most)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	script := asset("player.js")
	sum := sha256.Sum256([]byte(script))
	t, err := template.ParseFS(assets, "assets/player.html")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	err = t.Execute(b, map[string]any{
		"Title": title, "Style": template.CSS(asset("player.css")), "Script": template.JS(script), "Data": template.JS(data),
		"Policy": fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:])),
	})
	if err != nil {
		return err
	}
	return b.Flush()
}
