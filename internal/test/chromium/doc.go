// Package chromium drives a headless Chromium in tests of pages. JACQUARD_CHROMIUM is its path;
// without it, tests are skipped and say so.
package chromium
