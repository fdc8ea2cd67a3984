#!/usr/bin/env bash
# BOINC asks the driver what the GPU is. It uses functions of the old and of the new interface at once.
#
# usage: boinc.sh FOLDER-OF-LIBCUDA
set -euo pipefail
lib=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

LD_LIBRARY_PATH=$lib timeout 60 boinc --detect_gpus --dir "$scratch" >"$scratch/log" 2>&1
for fact in \
	"<name>GeForce GTX 280</name>" \
	"<major>1</major>" "<minor>3</minor>" \
	"<multiProcessorCount>30</multiProcessorCount>" \
	"<regsPerBlock>16384</regsPerBlock>" \
	"<maxThreadsDim>512 512 64</maxThreadsDim>" \
	"<peak_flops>933120000000" \
	"<totalGlobalMem>107"; do
	if ! grep -q "$fact" "$scratch/coproc_info.xml"; then
		echo "boinc: no $fact in:"
		cat "$scratch/log" "$scratch/coproc_info.xml"
		exit 1
	fi
done
echo "boinc: sees a GeForce GTX 280, compute capability 1.3, 30 processors, 933 GFLOPS"
