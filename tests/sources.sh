# Sourced: Debian's source packages in a folder, without root and without any
# change to what apt knows. The sourcing script has $cache, where they lie in
# src/, and the functions say and not_fetched.

# The machine's own package sources with "deb" turned into "deb-src".
source_list()
{
	sed -n 's/^deb /deb-src /p' /etc/apt/sources.list \
	    /etc/apt/sources.list.d/*.list 2>/dev/null || :
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -f "$file" ] || awk '
		function flush(  n, m, i, j, u, s) {
			n = split(v["URIs"], u, " ")
			m = split(v["Suites"], s, " ")
			for (i = 1; i <= n; i++) for (j = 1; j <= m; j++)
				print "deb-src " (("Signed-By" in v) ? \
				    "[signed-by=" v["Signed-By"] "] " : "") \
				    u[i], s[j], v["Components"]
			split("", v)
		}
		/^#/ { next }
		/^[ \t]*$/ { flush(); next }
		match($0, /^[A-Za-z-]+: */) {
			key = substr($0, 1, index($0, ":") - 1)
			v[key] = substr($0, RLENGTH + 1)
		}
		END { flush() }' "$file"
	done
}

# Apt with its state in the cache folder: needs no root, changes nothing else.
apt()
{
	timeout 300 apt-get -qq -o Dir::Etc::sourcelist="$cache/src/list" \
	    -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User= \
	    -o Dir::State::Lists="$cache/src/lists" \
	    -o Dir::Cache="$cache/src" -o Acquire::Retries=2 "$@" >&2
}

# fetch_sources PACKAGE...: those that are not there yet
fetch_sources()
{
	wanted=
	for package; do
		[ -d "$cache/src/$package" ] || wanted="$wanted $package"
	done
	[ -n "$wanted" ] || return 0
	say "fetching the sources of$wanted"
	rm -rf "$cache/src/lists"
	mkdir -p "$cache/src/lists/partial" "$cache/src/archives/partial"
	source_list >"$cache/src/list"
	# shellcheck disable=SC2086
	(cd "$cache/src" && apt update &&
	    apt --download-only source $wanted) ||
	    not_fetched "Debian's source packages"
	for package in $wanted; do
		rm -rf "$cache/src/$package.new"
		(cd "$cache/src" && dpkg-source --no-check -x \
		    "$package"_*.dsc "$package.new" &&
		    mv "$package.new" "$package") >/dev/null 2>&1 ||
		    not_fetched "$package: its source does not unpack"
	done
	rm -rf "$cache/src/lists"
}
