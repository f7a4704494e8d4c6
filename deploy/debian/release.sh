#!/usr/bin/env bash
# Builds a release in its own folder while the current one runs, then restarts the servers in it, one after the other.
# Run as root: tellal-release [tag, branch or commit]. The default is the newest commit of the cloned branch.
# A release that still exists is not built again: to go back to it, name its commit.
set -euo pipefail

home=/srv/tellal
keep=3

say() { printf '  %s\n' "$*"; }
as_tellal() { (cd "$home" && runuser -u tellal -- env HOME="$home" "$@"); }
# A build must not slow the servers down. In a session of its own, because Linux divides the CPU between sessions.
at_lowest_priority() {
  (cd "$home" && exec setsid sh -c '[ ! -w /proc/self/autogroup ] || echo 19 > /proc/self/autogroup; exec "$@"' sh \
    nice -n 19 runuser -u tellal -- env HOME="$home" "$@") &
  trap "kill -- -$!" INT TERM
  wait $!
  trap - INT TERM
}
commit_of() { as_tellal git -C source rev-parse --quiet --verify "$1^{commit}"; }

case "${1:-}" in
-h | --help)
  sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"
  exit 0
  ;;
-*)
  echo "Unknown: $1. Usage: tellal-release [tag, branch or commit]" >&2
  exit 2
  ;;
esac
if [ "$(id -u)" != 0 ]; then
  echo "Run this as root: it restarts services." >&2
  exit 1
fi

exec 9> /run/lock/tellal-release
flock --nonblock 9 || {
  echo "Another tellal-release is at work." >&2
  exit 1
}

as_tellal git -C source fetch --quiet --tags origin
wanted=${1:-HEAD}
commit=$(commit_of "origin/$wanted" || commit_of "$wanted") || {
  echo "There is no commit $wanted in $home/source." >&2
  exit 1
}
name=${commit:0:8}
release=$home/releases/$name

if [ ! -e "$release/dist/tellal-build" ]; then
  say "building $name in $release"
  # Removes an unfinished build.
  as_tellal rm -rf "$release"
  as_tellal git -C source worktree prune
  as_tellal git -C source worktree add --quiet --detach "$release" "$commit"
  as_tellal ln -sfn ../../.env "$release/.env"
  at_lowest_priority npm --prefix "$release" ci --include=dev --no-audit --no-fund
  at_lowest_priority npm --prefix "$release" run build
fi
if [ ! -e "$release/own-files" ]; then
  as_tellal cp --recursive --link --force "$release/.next/static/." "$release/own-files.part"
  as_tellal mv "$release/own-files.part" "$release/own-files"
fi
# Open pages still request files of other releases.
for files in "$home"/releases/*/own-files/; do
  as_tellal cp --recursive --link --force "$files." "$release/.next/static/"
done

servers=$(systemctl list-units --plain --no-legend 'tellal@*' | awk '{ print $1 }')
former=$(readlink "$home/current" || true)
switch() { as_tellal ln -sfn "$1" current.new && as_tellal mv -T current.new current; }
switch "releases/$name"
for server in $servers; do
  say "restarting $server"
  systemctl restart "$server" && continue
  echo "$server does not start in $name: journalctl -u $server says why." >&2
  if [ -n "$former" ]; then
    switch "$former"
    for each in $servers; do
      systemctl restart "$each" || echo "$each does not start in $former either." >&2
    done
    echo "The release in use is $former again." >&2
  fi
  exit 1
done
say "$name is in use"

# Keeps the newest releases, to go back to.
for old in $(as_tellal ls -t releases | tail -n "+$((keep + 1))"); do
  [ "$old" = "$name" ] || as_tellal git -C source worktree remove --force "$home/releases/$old"
done
