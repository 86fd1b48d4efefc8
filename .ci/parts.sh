# What both checks share: `part NAME command...` runs a part and remembers its minutes, `must_run` refuses skipped tests,
# and the minutes of all parts are printed at the end, also after a failure.
export CI=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONUNBUFFERED=1
# The tests start some hundred processes, and each would compile the lab anew.
unset PYTHONDONTWRITEBYTECODE
minutes=()
trap 'printf "%s\n" "minutes of each part" "${minutes[@]}"' EXIT

part() {
  local name=$1 start=$SECONDS code=0
  shift
  echo "== $name"
  "$@" || code=$?
  minutes+=("$(awk "BEGIN { printf \"%7.1f  $name\", ($SECONDS - $start) / 60 }")$([ "$code" = 0 ] || echo "  FAILED")")
  return "$code"
}

# A test that is skipped checks nothing; the browser tests and those of servers must all run.
must_run() {
  local log
  log=$(mktemp)
  .venv-dev/bin/python -m pytest -p no:cacheprovider -rs "$@" | tee "$log" || return
  if grep -qE '[0-9]+ skipped|no tests ran' "$log"; then
    echo "tests were skipped: $*" >&2
    return 1
  fi
}

# Debian's packages that are not there yet: `debian command package...`.
debian() {
  local command=$1 as_root=""
  shift
  [ -z "$(PATH=$PATH:/usr/sbin command -v "$command")" ] || return 0
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root apt-get update
  # Another program may be installing: Debian's own updates do.
  $as_root apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

readme() {
  local command
  command=$(sed -n '/^## Test it/,/^## /p' README.md | sed -n '/^```bash/,/^```/p' | sed '1d;$d')
  echo "README: $command"
  bash -euo pipefail -c "$command"
}
