// Package table defines the columns that begin every row of a CSV or Parquet file: they say which
// launch, or which launches, the row is about.
package table
