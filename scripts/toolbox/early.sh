# SPDX-License-Identifier: Apache-2.0
# Sourced by commands of programs in C++: what these would answer at once is answered before they are
# built, in their own words. help/ holds what they print; verify/commands/help.sh compares.

declare -A options=()  # the value of each option that was given; "" of a flag
operands=()            # other arguments

# refuse LINE: a user's mistake, in the program's words.
refuse() {
  echo "$1" >&2
  exit 2
}

# early PROGRAM ARGUMENT…: help, options that there are not and what is required; sets the above.
# PROGRAM-SUBCOMMAND.txt is of a subcommand.
early() {
  local program=$1 page=$1 line option several=' ' required=() named=()
  local -A takes=()
  shift
  [ ! -f "$root/scripts/toolbox/help/$page-${1:-}.txt" ] || { page=$page-$1; shift; }
  page=$root/scripts/toolbox/help/$page.txt
  case " $* " in *" -h "* | *" --help "*) cat "$page"; exit 0 ;; esac
  while IFS= read -r line; do
    if [[ $line =~ ^\ \ (-.,)?(--[a-z-]+|[A-Za-z]+)(\ (TEXT|U?INT|FLOAT))?[^\ ]*(\ REQUIRED)? ]]; then
      takes[${BASH_REMATCH[2]}]=${BASH_REMATCH[4]}
      [ -z "${BASH_REMATCH[5]}" ] || required+=("${BASH_REMATCH[2]}")
      [[ $line != *'} ...' ]] || several+="${BASH_REMATCH[2]} "  # some of a set of words
      [[ ${BASH_REMATCH[2]} == -* || -z ${BASH_REMATCH[4]} ]] || named+=("${BASH_REMATCH[2]}")
    fi
  done <"$page"
  local unexpected=''
  while [ $# -gt 0 ]; do
    option=${1%%=*}
    if [[ $1 != -?* ]]; then
      operands+=("$1")
      [ ${#operands[@]} -le ${#named[@]} ] || unexpected=${unexpected:-$1}
    elif [ -z "${takes[$option]+there}" ]; then
      unexpected=${unexpected:-$1}
    elif [[ -z ${takes[$option]} || $1 == *=* ]]; then
      options[$option]=${1#"$option"}
      options[$option]=${options[$option]#=}
    else
      [[ $# -gt 1 || ${takes[$option]} != TEXT ]] ||
        refuse "$program: $option: 1 required TEXT missing"
      options[$option]=${2:-}
      shift $(($# > 1))
      while [[ $several == *" $option "* && ${2:--} != -* ]]; do shift; done
    fi
    shift
  done
  [ -z "$unexpected" ] || refuse "$program: The following argument was not expected: $unexpected"
  local given=" ${!options[*]} ${named[*]::${#operands[@]}} "
  for option in ${required[@]+"${required[@]}"}; do
    [[ $given == *" $option "* ]] || refuse "$program: $option is required"
  done
}

# readable FILE KIND [FOLDER]: a file of this kind that is there; in this folder of the checkout are some.
readable() {
  [ -e "$1" ] || refuse "$1: cannot be read: No such file or directory; legal: a readable \
$2${3:+, such as those in $root/$3}"
}

# readable_trace FILE: the same of a trace.
readable_trace() { readable "$1" "trace (safetensors)" verify/traces; }

# known OPTION FOLDER TEXT: its value is a file, or the name of one in a folder of the checkout.
known() {
  local value=${options[$1]:-} names='' file LC_ALL=C
  [ -n "${options[$1]+given}" ] || return 0
  [ ! -d "$value" ] && [ -e "$value" ] && return 0
  for file in "$root/$2"/*.toml; do
    file=$(basename "$file" .toml)
    [ "$file" != "$value" ] || return 0
    names+=", $file"
  done
  refuse "command line: $1 = $value is illegal; legal: a TOML file, or $3 ${names#, }"
}
