#!/bin/sh
# Runs the suite once more as an unprivileged user, since root passes over permission faults. The tree is copied, because
# that user may not be able to reach this folder, and must not be able to change it.
set -eu
if [ "$(id -u)" != 0 ]; then
  echo "test-user: this user is not root, so \`make test\` was that run"
  exit 0
fi
if ! command -v setpriv >/dev/null; then
  echo "test-user: setpriv (util-linux) is needed to give up root" >&2
  exit 1
fi
user=65534
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gum-user.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir -p "$scratch/tree/dist" "$scratch/home" dist/results
for entry in * .npmrc; do
  [ "$entry" = dist ] || cp -a "$entry" "$scratch/tree/"
done
cp -a dist/gum "$scratch/tree/dist/gum"
chmod 0755 "$scratch"
chown -R "$user:$user" "$scratch/tree" "$scratch/home"

status=0
(
  cd "$scratch/tree"
  setpriv --reuid="$user" --regid="$user" --clear-groups --inh-caps=-all \
    env -i HOME="$scratch/home" PATH="$PATH" LANG=C.UTF-8 CI="${CI:-}" \
    node_modules/bun/bin/bun.exe src/dev/suite.ts test-user test
) || status=$?
rm -f dist/results/test-user.*
cp "$scratch"/tree/dist/results/test-user.* dist/results/
exit "$status"
