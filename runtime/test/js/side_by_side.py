"""Runs the programs whose names are in its input, JOBS at a time, each in its own folder and process group:

  side_by_side.py PROGRAM RESULTS JOBS

The standard output of folder/name.js is RESULTS/folder_name.js, with the exit code, as a shell tells it, in the last line."""

import concurrent.futures
import os
import subprocess
import sys
import signal
import threading

SECONDS = 120

program, results, jobs = sys.argv[1:]
# readline asks what the terminal can do, even where there is none. Certificates that this machine trusts besides are no part of the cases.
environment = {name: value for name, value in os.environ.items() if name != "NODE_EXTRA_CA_CERTS"} | {"TERM": "xterm"}


def run(name):
    folder, file = os.path.split(os.path.abspath(name))
    late = []
    with open(os.path.join(results, name.replace("/", "_")), "wb") as output:
        child = subprocess.Popen([program, file], cwd=folder, env={**environment, "PWD": folder}, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.DEVNULL, process_group=0)

        def end():
            late.append(True)
            os.killpg(child.pid, signal.SIGKILL)

        timer = threading.Timer(SECONDS, end)
        timer.start()
        code = child.wait()
        timer.cancel()
        # What the program has left behind may write still: after its last line, not over it.
        output.seek(0, os.SEEK_END)
        output.write(f"exit code {124 if late else code if code >= 0 else 128 - code}\n".encode())


with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
    list(pool.map(run, sys.stdin.read().split()))
