# Sourced by app/start and tests/run: installs what is missing on Debian or Ubuntu, then configures and builds.
# Needs: $top, the checkout's folder.

triaxis_packages="g++ cmake ninja-build pkg-config ccache
    openmpi-bin libopenmpi-dev libopenblas-dev libsqlite3-dev libarchive-dev nlohmann-json3-dev libcli11-dev
    qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools qt6-translations-l10n
    libqcustomplot-dev libqcustomplot2.1-qt6 fonts-inter fonts-dejavu-core"

say() { printf '%s\n' "$*" >&2; }

# Prints the packages of the list that are not installed.
missing_packages() {
    # shellcheck disable=SC2086
    dpkg-query -W -f='${Package} ${db:Status-Status}\n' $triaxis_packages 2>/dev/null |
        awk '$2 == "installed" { print $1 }' | sort >"$triaxis_tmp/have"
    printf '%s\n' $triaxis_packages | sort | comm -23 - "$triaxis_tmp/have" | tr '\n' ' '
}

install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "This is no Debian or Ubuntu. Install these by hand (names of Debian): $triaxis_packages"
        return
    fi
    local missing as_root=()
    missing=$(missing_packages)
    [ -n "${missing// /}" ] || return 0
    say "Installing with apt: $missing"
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "These packages are missing and there is no sudo. As root: apt-get install $missing"
            exit 1
        fi
        as_root=(sudo)
    fi
    # shellcheck disable=SC2086
    if ! { "${as_root[@]}" apt-get update -qq &&
           "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
               apt-get install -y -qq --no-install-recommends $missing; } >"$triaxis_tmp/apt.log" 2>&1; then
        tail -n 20 "$triaxis_tmp/apt.log" >&2
        say "apt could not install what is missing. Mend that, or install by hand: $missing"
        exit 1
    fi
}

# configure_and_build PRESET [TARGET …]
configure_and_build() {
    local preset=$1 folder="$top/build/$1"
    shift
    if [ ! -f "$folder/build.ninja" ] || [ "$top/CMakePresets.json" -nt "$folder/build.ninja" ]; then
        say "Configuring ($preset)"
        if ! cmake --preset "$preset" -S "$top" >"$triaxis_tmp/configure.log" 2>&1; then
            tail -n 30 "$triaxis_tmp/configure.log" >&2
            say "The configuration failed."
            exit 1
        fi
        grep -h 'CUDA is off' "$triaxis_tmp/configure.log" | sed 's/^-- //' >&2 || true
        say "Building ($preset); the first time takes some minutes"
    fi
    if ! cmake --build "$folder" ${1:+--target "$@"} >"$triaxis_tmp/build.log" 2>&1; then
        grep -E 'error|FAILED|Error' -A 6 "$triaxis_tmp/build.log" | head -n 60 >&2
        say "The build failed."
        exit 1
    fi
}

triaxis_tmp=$(mktemp -d)
trap 'rm -rf "$triaxis_tmp"' EXIT
