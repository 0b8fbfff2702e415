# Completion of rota's command line for bash. The options come from the program itself: those of a command from its help.
_rota() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} i
  local commands='run diagnose explain export trace timeline stats watch why fuzz attach detach doctor help' options
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
  if [[ $word != -* ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
    ((COMP_CWORD > 1)) || COMPREPLY+=($(compgen -W "$commands" -- "$word"))
    return
  fi
  if ((COMP_CWORD > 1)) && [[ " $commands " == *" $command "* ]]; then
    options="$(rota help "$command" 2>/dev/null | grep '^  -' | grep -oE -- ' --?[a-z][a-z-]*(=off)?' | sort -u) --help --"
  else
    options=$(rota --completion-bash 2>/dev/null | sed -n "s/.*compgen -W '\([^']*\)'.*/\1/p")
  fi
  COMPREPLY=($(compgen -W "$options" -- "$word"))
}
complete -o filenames -o bashdefault -F _rota rota
