#!/bin/sh
# Installs what the tests of a real Secret Service need (Debian, Ubuntu), where that is missing and may be done. Elsewhere
# those tests say that they were skipped, and why; in CI they must run, so there it is an error.
set -eu
missing=
for program in dbus-daemon dbus-send gnome-keyring-daemon secret-tool; do
  command -v "$program" >/dev/null || missing="$missing $program"
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then root="sudo -n"; else root=none; fi
fi
if [ "$root" != none ] && command -v apt-get >/dev/null; then
  echo "test: installing gnome-keyring, libsecret and dbus for the keychain tests"
  export DEBIAN_FRONTEND=noninteractive
  install="$root apt-get install -y -qq --no-install-recommends dbus gnome-keyring libsecret-1-0 libsecret-tools"
  $install >/dev/null 2>&1 || { $root apt-get update -qq >/dev/null 2>&1 && $install >/dev/null 2>&1; } || :
  command -v gnome-keyring-daemon >/dev/null && exit 0
fi
echo "test: the tests of a real Secret Service are skipped; not installed:$missing" >&2
[ -z "${CI:-}" ]
