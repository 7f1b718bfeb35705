#!/usr/bin/env bash
# Builds the image of docker/Dockerfile and runs it once, on a Debian without a Docker engine and
# without a registry of images: debootstrap makes the base, buildah builds (chroot isolation),
# podman runs. As root; installs those tools when they are missing.
#   docker/build-and-run.sh          build, run, sign in, build and run a project in it, stop
#   docker/build-and-run.sh --keep   leave the container running and say how to reach it
# PENSTOCK_PORT: the port (default: a free one). Ends with 3 when something of this machine is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

base=localhost/debian-node:bookworm
image=localhost/penstock:latest
tools=(debootstrap buildah podman runc)
run=(podman --runtime runc --cgroup-manager cgroupfs)
container=
work=

clean_up() {
  local code=$?
  trap - EXIT
  if [ -n "$container" ]; then "${run[@]}" rm --force --time 10 "$container" >/dev/null 2>&1 || true; fi
  if [ -n "$work" ]; then rm -rf --one-file-system "$work"; fi
  exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ "$(id -u)" = 0 ] || { echo "needs root: sudo $0 $*" >&2; exit 3; }
missing=()
for tool in "${tools[@]}"; do command -v "$tool" >/dev/null || missing+=("$tool"); done
if [ ${#missing[@]} -gt 0 ]; then
  echo "- tools: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq -o DPkg::Lock::Timeout=300 &&
    apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null ||
    { echo "what helps: apt-get update && apt-get install -y --no-install-recommends ${tools[*]}" >&2; exit 3; }
fi
work=$(mktemp -d)

if ! podman image exists "$base"; then
  echo "- base image (debootstrap)"
  mirror=$(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
  timeout 600 debootstrap --variant=minbase bookworm "$work/root" "${mirror:-http://deb.debian.org/debian}" \
    >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 3; }
  # Node.js and npm as they are on this machine, as in the official image of the same name.
  node=$(readlink -f "$(command -v node)")
  npm=$(readlink -f "$(npm root -g 2>/dev/null)/npm")
  install -D "$node" "$work/root/usr/local/bin/node"
  mkdir -p "$work/root/usr/local/lib/node_modules"
  cp -a "$npm" "$work/root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$work/root/usr/local/bin/npx"
  if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    cp /etc/apt/sources.list.d/debian.sources "$work/root/etc/apt/sources.list.d/"
    : >"$work/root/etc/apt/sources.list"
  fi
  tar -C "$work/root" --one-file-system -c . | podman import - "$base" >/dev/null
  rm -rf --one-file-system "$work/root"
fi

echo "- image (buildah)"
settings=()
# Proxies are known to every build and do not stay in the image; nor does a build argument.
for name in HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy; do
  if [ -n "${!name:-}" ]; then settings+=(--build-arg "$name=${!name}"); fi
done
# Certificates of this machine's network: a COPY, at a place of its own. The build runs as root in a
# chroot; mounted at its usual name, the bundle would be rewritten by ca-certificates in the image.
certificates=${NODE_EXTRA_CA_CERTS:-${SSL_CERT_FILE:-}}
if [ -f "$certificates" ]; then
  install -m 0644 "$certificates" "$work/certificates.pem"
  settings+=(--volume "$work/certificates.pem:/run/build-certificates.pem:ro"
    --build-arg NODE_EXTRA_CA_CERTS=/run/build-certificates.pem)
fi
timeout --foreground --kill-after=20 1500 buildah bud --layers --force-rm --pull-never --isolation chroot \
  --format docker --storage-driver overlay "${settings[@]}" --build-arg "BASE=$base" \
  -f docker/Dockerfile -t "$image" . >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }

port=${PENSTOCK_PORT:-$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')}
echo "- container (podman)"
container=$("${run[@]}" run --detach --init=false --ulimit nofile=1024:4096 --ulimit nproc=1024:1024 \
  --no-healthcheck --network host --env "PENSTOCK_PORT=$port" "$image")

if ! timeout 60 node docker/ask-container.mjs "$port" "${run[@]}" logs "$container"; then
  "${run[@]}" logs "$container" >&2 || true
  exit 1
fi

if [ "${1:-}" = --keep ]; then
  echo "runs as ${container:0:12} at http://127.0.0.1:$port"
  echo "  a fresh address:  podman exec ${container:0:12} penstock open --json"
  echo "  end it:           podman rm --force --time 10 ${container:0:12}"
  container=
  exit 0
fi

echo "- a project inside: drawn, built, run, asked, stopped"
timeout 300 "${run[@]}" exec "$container" sh -euc '
  penstock init /tmp/ads --example ads --quiet
  penstock build /tmp/ads --quiet
  penstock run /tmp/ads --relax-pins --detach --quiet
  penstock monitor /tmp/ads --once
  penstock stop /tmp/ads --quiet' || { echo "the toolchain in the image does not work" >&2; exit 1; }

# SIGTERM ends the designer in its own way (130, interrupted), before a SIGKILL would (137).
"${run[@]}" stop --time 10 "$container" >/dev/null
code=$("${run[@]}" inspect --format '{{.State.ExitCode}}' "$container")
[ "$code" = 130 ] || { echo "the container ended with $code" >&2; exit 1; }
echo "the image works"
