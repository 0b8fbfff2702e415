/* The commands that are JavaScript, run by the Node in PATH on its own libuv. */
#ifndef ROTA_COMMAND_WINDOWS_TOOL_H
#define ROTA_COMMAND_WINDOWS_TOOL_H

/* argv[1] is the command. Returns the exit code. */
int command_tool_run(int argc, char **argv);

#endif
