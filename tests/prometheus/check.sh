#!/bin/sh
# The page of --openmetrics in the hands of the real ones: promtool, then
# node_exporter's textfile collector scraped by a Prometheus, on loopback.
# Debian's packages are unpacked beside the build, not installed: nothing is
# started but what this script starts, and it ends that by process id.
#
#	tests/prometheus/check.sh [KTOP]	B: build folder
set -u

ktop=${1:-./ktop}
ktop=$(cd "$(dirname "$ktop")" && pwd)/$(basename "$ktop")
build=${B:-build}
mkdir -p "$build/prometheus" || exit 1
tools=$(cd "$build/prometheus" && pwd)
bad=0
started=

say()
{
	if [ "$1" = 0 ]; then echo "ok - $2"; else
		echo "not ok - $2"
		bad=1
	fi
}

fetch()
{
	have=$(command -v prometheus) && [ -n "$have" ] &&
	    command -v promtool >/dev/null &&
	    command -v prometheus-node-exporter >/dev/null && return 0
	PATH=$tools/usr/bin:$PATH
	export PATH
	[ -x "$tools/usr/bin/promtool" ] &&
	    [ -x "$tools/usr/bin/prometheus-node-exporter" ] && return 0
	command -v apt-get >/dev/null && command -v dpkg >/dev/null || {
		echo "prometheus and prometheus-node-exporter are needed" >&2
		return 1
	}
	(
		cd "$tools" || exit 1
		apt-get -q download prometheus prometheus-node-exporter ||
		    exit 1
		for package in prometheus*.deb; do
			dpkg -x "$package" . || exit 1
		done
	) >"$tools/fetch.log" 2>&1 || {
		cat "$tools/fetch.log" >&2
		return 1
	}
}

finish()
{
	for pid in $started; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}

# answers URL PATTERN: within 20 seconds
answers()
{
	n=0
	while [ "$n" -lt 100 ]; do
		python3 - "$1" >"$work/answer" 2>/dev/null <<-'PY'
			import sys, urllib.request
			print(urllib.request.urlopen(sys.argv[1], timeout=5)
			      .read().decode())
		PY
		grep -q "$2" "$work/answer" && return 0
		n=$((n + 1))
		sleep 0.2
	done
	return 1
}

# value QUERY: the first value of its answer
value()
{
	python3 - "http://127.0.0.1:$server/api/v1/query" "$1" <<-'PY'
		import json, sys, urllib.parse, urllib.request
		url = sys.argv[1] + "?" + urllib.parse.urlencode(
		    {"query": sys.argv[2]})
		r = json.load(urllib.request.urlopen(url, timeout=5))
		r = r["data"]["result"]
		print(r[0]["value"][1] if r else "nothing")
	PY
}

fetch || exit 1
work=$(mktemp -d) || exit 1
trap finish EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$work/state"
mkdir "$work/text" "$work/db"

"$ktop" --sim m3ultra,seed=3,clock=step -n 20 --rotate basic,l1d,branch --processes \
    --openmetrics "$work/text/ktop.prom" --csv "$work/run.csv"
say $? "a page is written"
tail -1 "$work/text/ktop.prom" | grep -qx '# EOF'
say $? "it is whole"
# Names are those of the recordings' columns: l2tlb_d_mpki is of no days.
promtool check metrics <"$work/text/ktop.prom" >"$work/lint" 2>&1
grep -v 'metric names should not contain abbreviated units' "$work/lint"
say $((1 - $?)) "promtool finds nothing else to say"

exporter=$(python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
server=$(python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
prometheus-node-exporter --collector.disable-defaults --collector.textfile \
    --collector.textfile.directory="$work/text" \
    --web.listen-address="127.0.0.1:$exporter" >"$work/exporter.log" 2>&1 &
started="$started $!"
cat >"$work/prometheus.yml" <<EOF2
global: { scrape_interval: 1s }
scrape_configs:
  - job_name: ktop
    static_configs: [ { targets: [ "127.0.0.1:$exporter" ] } ]
EOF2
promtool check config "$work/prometheus.yml" >"$work/lint" 2>&1 ||
    cat "$work/lint"
prometheus --config.file="$work/prometheus.yml" \
    --storage.tsdb.path="$work/db" \
    --web.listen-address="127.0.0.1:$server" >"$work/prometheus.log" 2>&1 &
started="$started $!"

answers "http://127.0.0.1:$exporter/metrics" '^ktop_cpu_cycles_total'
say $? "node_exporter serves it"
grep -q '^node_textfile_scrape_error 0' "$work/answer"
say $? "without an error"
grep -q '^# TYPE ktop_cpu_cycles_total counter' "$work/answer"
say $? "and knows the counters as such"
query="http://127.0.0.1:$server/api/v1/query?query=ktop_cpu_cycles_total"
answers "$query" '"cpu":"0"'
say $? "Prometheus scrapes it"

want=$(python3 - "$work/run.csv" <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["row"] == "cpu"]
print(sum(int(r["cycles"]) for r in rows if r["cycles"] and r["cpu"] == "5"),
      sum(int(r["instructions"] or 0) for r in rows if r["cluster"] == "P0"),
      sum(int(r["c%d" % i]) for r in rows for i in range(1, 11)
          if r["e%d" % i] == "BRANCH_MISPRED_NONSPEC" and r["c%d" % i]))
PY
)
got="$(value 'ktop_cpu_cycles_total{cpu="5"}') $(value \
    'ktop_cluster_instructions_total{cluster="P0"}') $(value \
    'sum(ktop_cpu_events_total{event="BRANCH_MISPRED_NONSPEC"})')"
[ "$want" = "$got" ]
say $? "its sums are those of the recording ($got)"
ipc=$(value 'sum(ktop_cluster_instructions_total) / sum(ktop_cluster_cycles_total)')
case $ipc in [0-9].*) say 0 "IPC of the machine: $ipc" ;; *)
	say 1 "IPC of the machine: $ipc" ;;
esac

dashboard=$(cd "$(dirname "$0")/../../docs/grafana" && pwd)/ktop.json
python3 - "$dashboard" "http://127.0.0.1:$server/api/v1/query" <<'PY'
import json, sys, urllib.parse, urllib.request
for panel in json.load(open(sys.argv[1]))["panels"]:
    for target in panel.get("targets", []):
        expr = (target["expr"].replace("$__rate_interval", "5s")
                .replace("$source", ".*"))
        url = sys.argv[2] + "?" + urllib.parse.urlencode({"query": expr})
        try:
            r = json.load(urllib.request.urlopen(url, timeout=5))
        except urllib.error.HTTPError as e:
            r = json.load(e)
        if r["status"] != "success":
            sys.exit("%s: %s" % (expr, r))
        n = len(r["data"]["result"])
        if "_process_" in expr and n != 10:
            sys.exit("%s: %d of the ten busiest" % (expr, n))
PY
say $? "every query of the dashboard is one"
exit $bad
