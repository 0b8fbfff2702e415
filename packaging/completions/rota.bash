# Completion of rota's command line for bash. The options come from the program itself.
_rota() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} i
  # What stands behind -- is a command line of its own.
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      if declare -F _command_offset >/dev/null; then
        _command_offset $((i + 1))
      elif ((i + 1 == COMP_CWORD)); then
        COMPREPLY=($(compgen -c -- "$word"))
      else
        COMPREPLY=($(compgen -f -- "$word"))
      fi
      return
    fi
  done
  local options=
  case $command in
  run | stats | doctor) options='--virtual-time --attach --black-box --help --' ;;
  trace) options='-o --samples --names=off --virtual-time --attach --black-box --help --' ;;
  timeline) options='-o --samples --names=off --virtual-time --attach --black-box --help --' ;;
  watch) options='--threshold --names=off --virtual-time --attach --black-box --help --' ;;
  why) options='--after --names=off --virtual-time --attach --black-box --help --' ;;
  fuzz) options="$(rota fuzz --help 2>/dev/null | grep -o -- '--[a-z-]*' | sort -u) --" ;;
  esac
  if ((COMP_CWORD > 1)) && [[ -n $options && $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$(rota --completion-bash 2>/dev/null | sed -n "s/.*compgen -W '\([^']*\)'.*/\1/p")" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
    ((COMP_CWORD > 1)) || COMPREPLY+=($(compgen -W 'run trace timeline stats watch why fuzz attach doctor help' -- "$word"))
  fi
}
complete -o filenames -o bashdefault -F _rota rota
