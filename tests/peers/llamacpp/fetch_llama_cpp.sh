#!/bin/sh
# Installs llama.cpp, as npm's node-llama-cpp carries it, into FOLDER (inside the build folder) and
# prints the folder of its libraries.
#   fetch_llama_cpp.sh FOLDER
# Quick when it is there already; safe to be called by several tests at once. Exit status 1, with
# the reason on standard error, where it cannot be had.
set -u
folder=${1:?usage: fetch_llama_cpp.sh FOLDER}
. "$(dirname "$0")/../npm.sh"
version=3.21.1
case $(uname -s)-$(uname -m) in
Linux-x86_64) system=linux-x64 ;;
Linux-aarch64) system=linux-arm64 ;;
*)
    echo "node-llama-cpp has no library that these tests know for $(uname -s) $(uname -m)" >&2
    exit 1
    ;;
esac
mkdir -p "$folder" && cd "$folder" || exit 1
exec 9>lock && flock 9 || exit 1
if [ ! -f "whole-$version" ]; then
    npm_install "node-llama-cpp@$version" "@node-llama-cpp/$system@$version" || exit 1
    : >"whole-$version"
fi
echo "$PWD/node_modules/@node-llama-cpp/$system/bins/$system"
