#!/bin/sh
# One plugin from a folder to an answered call and out again, in a scratch profile that is removed at the end.
# `make demo` compiles dist/gum and starts this.
set -eu
cd "$(dirname "$0")/.."
gum=$PWD/dist/gum
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gum-demo.XXXXXX")
trap 'chmod -R u+w "$scratch" && rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" XDG_DATA_HOME="$scratch/data" XDG_CACHE_HOME="$scratch/cache"

# Shows a command, runs it, and stops the demo when it does not end with the expected code.
show() {
  expected=$1
  shift
  printf '\n$ gum'
  for word in "$@"; do
    case $word in *[!A-Za-z0-9_./=-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
  done
  printf '\n'
  code=0
  "$gum" "$@" </dev/null || code=$?
  [ "$code" = 0 ] || printf '(exit code %s)\n' "$code"
  if [ "$code" != "$expected" ]; then
    printf 'demo: expected exit code %s\n' "$expected" >&2
    exit 1
  fi
}

show 0 version
show 0 plugin validate examples/hello
show 0 pipeline show install
show 0 plugin install examples/hello --yes --trace
show 0 plugin list
show 0 plugin run hello hello '{"name":"world"}' --trace
show 10 plugin run hello helo '{"name":"world"}'
show 0 plugin remove hello --yes
show 0 plugin list
