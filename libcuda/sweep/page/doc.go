// Package page makes a page for a browser from the results of a study.
package page
