#!/usr/bin/env bash
# ffmpeg moves frames to the simulator's memory and back: every frame must come back as it was. Odd heights are left
# out: ffmpeg itself does not move the last line of chroma then.
#
# usage: ffmpeg.sh FOLDER-OF-LIBCUDA
set -euo pipefail
lib=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

frames() { # SIZE FORMAT [FILTER...]
	local size=$1 format=$2 filters=$3
	shift 3
	ffmpeg -hide_banner -loglevel error -nostdin "$@" -f lavfi -i "testsrc=s=$size:d=0.2" -vf "format=$format$filters" -f framemd5 -
}

for size in 64x48 65x48 321x180 1280x720; do
	for format in nv12 yuv420p p010le yuv444p; do
		frames $size $format "" >"$scratch/here"
		LD_LIBRARY_PATH=$lib frames $size $format ",hwupload,hwdownload,format=$format" \
			-init_hw_device cuda=gpu:0 -filter_hw_device gpu >"$scratch/there"
		if ! cmp "$scratch/here" "$scratch/there"; then
			echo "ffmpeg $size $format: frames came back changed"
			exit 1
		fi
	done
	echo "ffmpeg $size: frames of 4 formats came back as they were"
done

# Filters with kernels bring PTX for much later GPUs: a clean error, no crash.
status=0
LD_LIBRARY_PATH=$lib frames 64x48 yuv420p ",hwupload,scale_cuda=32:24,hwdownload,format=yuv420p" \
	-init_hw_device cuda=gpu:0 -filter_hw_device gpu >"$scratch/there" 2>"$scratch/errors" || status=$?
if [ $status -eq 0 ] || [ $status -ge 124 ] || ! grep -q CUDA_ERROR_NO_BINARY_FOR_GPU "$scratch/errors"; then
	echo "ffmpeg scale_cuda: exit status $status"
	cat "$scratch/errors"
	exit 1
fi
echo "ffmpeg scale_cuda: refused, as its PTX must be"
