package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/simt/branch"
)

func newPolicies() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "policies",
		Short: "List the divergence policies",
		Long: `List the divergence policies, which decide what lanes run when the threads of a warp go
different ways. Statistics depend on the choice; results do not.`,
		Example: `  jacquard policies
  jacquard exec --policy nvidia -- ./program`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON {
				return policiesJSON(c)
			}
			w := newTable(c.OutOrStdout())
			for _, s := range branch.Policies() {
				var options []string
				for _, o := range s.Options {
					options = append(options, o.String())
				}
				fmt.Fprintf(w, "%s\t%s", s.Name, s.Idea)
				if options != nil {
					fmt.Fprintf(w, " [:%s]", strings.Join(options, ","))
				}
				if s.Name == branch.Default {
					fmt.Fprint(w, " (default)")
				}
				fmt.Fprintln(w)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "\nEvery policy takes %s too: the lanes of a warp.\n", branch.Widths())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per policy")
	return c
}

func policiesJSON(c *cobra.Command) error {
	enc := json.NewEncoder(c.OutOrStdout())
	for _, s := range branch.Policies() {
		row := struct {
			Name    string `json:"name"`
			Idea    string `json:"idea"`
			Default bool   `json:"default"`

			Options map[string][]string `json:"options"` // the first value is the default
		}{s.Name, s.Idea, s.Name == branch.Default, map[string][]string{}}
		for _, o := range append(s.Options, branch.Widths()) {
			row.Options[o.Key] = o.Values
		}
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
