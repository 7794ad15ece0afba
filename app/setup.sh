# Shared by app/run and tests/run: install what is missing, configure, build. Sourced, not run.
# Everything here is silent unless it has something to do or something fails.

tokenscope_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'tokenscope: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# packages_of SECTION...: the names listed for these sections in packages.txt.
packages_of() {
    local section
    for section in "$@"; do
        sed -n "s/^$section //p" "$tokenscope_root/app/packages.txt"
    done | tr ' ' '\n'
}

# install_packages SECTION...: by name, only those that are missing; root is asked for only then.
install_packages() {
    local wanted missing=() package
    [ -z "${TOKENSCOPE_SKIP_PACKAGES:-}" ] || return 0
    mapfile -t wanted < <(packages_of "$@")
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "this system has no apt-get, so its packages cannot be installed from here."
        say "Install your distribution's equivalents of these Debian packages:"
        printf '  %s\n' "${wanted[*]}" | fold -s -w 96 >&2
        say "then run this again with TOKENSCOPE_SKIP_PACKAGES=1 in the environment."
        exit 1
    fi
    for package in "${wanted[@]}"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    local as_root=() log="$tokenscope_root/build/packages.log"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            die "missing packages; as root, run: apt-get install --no-install-recommends ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${#missing[@]} Debian packages: ${missing[*]}"
    mkdir -p "$tokenscope_root/build"
    # The list of available packages may be absent or old: refresh it, then install.
    if ! { "${as_root[@]}" apt-get update -q &&
           "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
               apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
        tail -n 15 "$log" >&2
        die "installing packages failed; the whole log is in build/packages.log"
    fi
}

# build_preset PRESET [TARGET...]: configure where that was not done yet, then build.
build_preset() {
    local preset=$1 dir log
    shift
    dir="$tokenscope_root/build/$preset"
    log="$dir/build.log"
    mkdir -p "$dir"
    if [ ! -f "$dir/build.ninja" ]; then
        say "configuring and building ($preset); the first time takes some minutes"
        (cd "$tokenscope_root" && cmake --preset "$preset") >"$log" 2>&1 || {
            tail -n 30 "$log" >&2
            die "configuring failed; the whole log is in build/$preset/build.log"
        }
    fi
    (cd "$tokenscope_root" && cmake --build --preset "$preset" ${1:+--target "$@"}) >"$log" 2>&1 || {
        grep -E -A 12 'error|FAILED' "$log" | head -n 60 >&2
        die "building failed; the whole log is in build/$preset/build.log"
    }
}
