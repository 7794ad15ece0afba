# What the scripts that fetch peers from npm share. Sourced, not run. Packages are of exact versions,
# are never allowed to run scripts of their own, and stay inside the build folder.

# npm_present: says so on standard error where npm is missing.
npm_present() {
    command -v npm >/dev/null 2>&1 && return 0
    echo "npm is not installed" >&2
    return 1
}

# npm_reason LOG: the line that says why a call of npm failed.
npm_reason() { grep -m1 'npm err' "$1" || grep -m1 -i 'error' "$1"; }

# npm_unpack NAME VERSION TARBALL: one package, without its dependencies, below unpacked/package of
# the current folder.
npm_unpack() {
    npm_present || return 1
    npm pack --ignore-scripts --fetch-retries=1 --fetch-retry-mintimeout=1000 "$1@$2" \
        >/dev/null 2>npm.log || {
        echo "npm pack $1@$2 failed: $(npm_reason npm.log)" >&2
        rm -f npm.log
        return 1
    }
    rm -rf unpacked && mkdir unpacked && tar -xzf "$3" -C unpacked && rm -f "$3" npm.log
}

# npm_install NAME@VERSION...: these, with what they need, below node_modules of the current folder.
# Optional dependencies (builds for graphics processors, hundreds of megabytes) are left out.
npm_install() {
    npm_present || return 1
    [ -f package.json ] || echo '{"private": true}' >package.json
    npm i -E --ignore-scripts --omit=optional --no-audit --no-fund --fetch-retries=1 \
        --fetch-retry-mintimeout=1000 "$@" >/dev/null 2>npm.log || {
        echo "npm i $* failed: $(npm_reason npm.log)" >&2
        rm -f npm.log
        return 1
    }
    rm -f npm.log
}
