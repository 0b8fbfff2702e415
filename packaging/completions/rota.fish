# Completion of rota's command line for fish. The options come from the program itself: those of a command from its help.
function __rota_options
    rota --completion-bash 2>/dev/null | string match -r "compgen -W '([^']*)'" | tail -n 1 | string split ' ' --no-empty
end
function __rota_command_options
    rota help (commandline -opc)[2] 2>/dev/null | string match -r '^  -.*' | string match -ra -- ' --?[a-z][a-z-]*(?:=off)?' | string trim | sort -u
end
set -l commands run diagnose explain export trace timeline stats watch why fuzz attach detach doctor help
complete -c rota -n "not __fish_seen_subcommand_from $commands" -a '(__rota_options)' -f
complete -c rota -n __fish_use_subcommand -F
complete -c rota -n __fish_use_subcommand -a run -d 'run a program on librota'
complete -c rota -n __fish_use_subcommand -a diagnose -d 'tell what is wrong with the loop of a program'
complete -c rota -n __fish_use_subcommand -a export -d 'a trace in the format of perfetto, pprof or speedscope'
complete -c rota -n __fish_use_subcommand -a explain -d 'tell the order of the callbacks of a script, and why it is so'
complete -c rota -n __fish_use_subcommand -a trace -d 'write what the loop of a program does into a file'
complete -c rota -n __fish_use_subcommand -a timeline -d 'make a page that shows what the loop did'
complete -c rota -n __fish_use_subcommand -a stats -d 'print histograms of the loop and the thread pool'
complete -c rota -n __fish_use_subcommand -a watch -d 'name what blocks the loop, while it does'
complete -c rota -n __fish_use_subcommand -a why -d 'tell what keeps the loop alive'
complete -c rota -n __fish_use_subcommand -a fuzz -d 'run a program under many schedules'
complete -c rota -n __fish_use_subcommand -a attach -d 'ask a process that runs'
complete -c rota -n __fish_use_subcommand -a detach -d 'end what is attached to a process'
complete -c rota -n __fish_use_subcommand -a doctor -d 'tell how a program would be run on librota'
complete -c rota -n __fish_use_subcommand -a help -d 'explain a command'
complete -c rota -n '__fish_seen_subcommand_from trace timeline diagnose' -s o -r -d 'the file that is written'
complete -c rota -n "__fish_seen_subcommand_from $commands" -a '(__rota_command_options)'
