package cli

import "github.com/spf13/cobra"

func newSweepReport() *cobra.Command { return &cobra.Command{Use: "report STUDY"} }
