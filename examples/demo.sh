#!/bin/sh
# One plugin from a folder to an answered call and out again, with a canary, a tampered file and a drifting plugin on the
# way, in a scratch profile that is removed at the end.
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

say() {
  printf '\n# %s\n' "$1"
}

show 0 version
show 0 plugin validate examples/hello
show 0 pipeline show install
show 0 plugin install examples/hello --yes --trace
show 0 plugin list
show 0 plugin run hello hello '{"name":"world"}' --trace
show 10 plugin run hello helo '{"name":"world"}'

say 'A canary verifies, starts and tries what is installed.'
show 0 canary --plugin=hello --live --trace

say 'Somebody changes the installed program: it is refused before any process starts, and quarantined for good.'
for program in "$XDG_DATA_HOME"/gum/default/plugins/hello/*/bin/hello-mcp; do
  chmod u+w "$program"
  echo '# changed' >>"$program"
done
show 4 plugin run hello hello '{"name":"world"}'
show 6 plugin run hello hello '{"name":"world"}'
show 4 plugin reload hello
show 0 plugin install examples/hello --yes

say 'This plugin describes its tool differently at every start. Its tools were pinned at install: the drift is caught.'
show 0 plugin install test/plugins/drift --yes
show 0 plugin run drift hello '{}'
show 4 plugin run drift hello '{}'
show 4 plugin diff drift
show 0 plugin list
show 0 plugin reload drift --accept-drift
show 0 plugin remove drift --yes

show 0 plugin remove hello --yes
show 0 plugin list
