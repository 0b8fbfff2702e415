#!/usr/bin/env python3
"""A session at the REPL, through a pseudo-terminal: what a person types, and what must be seen then.

    session.py ROTA
"""
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time

ROTA = sys.argv[1]
HOME = tempfile.mkdtemp()
passed = failed = 0


class Session:
    def __init__(self, **more):
        self.seen = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            environment = {"HOME": HOME, "TERM": "xterm", "PATH": os.environ["PATH"], **more}
            os.execve(ROTA, [ROTA], environment)

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, pattern, seconds=60):
        """True when the output since the last call comes to match."""
        end = time.time() + seconds
        while True:
            plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", self.seen)
            found = re.search(pattern, plain, re.S)
            if found:
                self.seen = ""
                return True
            left = end - time.time()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                self.failure = plain
                return False
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            if not data:
                self.failure = plain
                return re.search(pattern, plain, re.S) is not None
            self.seen += data.decode(errors="replace")

    def end(self):
        """The exit code, or None if it does not end."""
        for _ in range(1200):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return None


def check(what, good, session=None):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"  FAILED: {what}")
        if session is not None:
            print("    seen: " + repr(getattr(session, "failure", ""))[-400:])


def ask(session, typed, pattern, what):
    session.seen = ""
    session.type(typed)
    check(what, session.wait_for(pattern), session)


s = Session()
check("a greeting and a prompt", s.wait_for(r"Welcome.*> "), s)
ask(s, "1 + 1\r", r"\r\n2\r\n.*> ", "an expression")
ask(s, "({ a: [1, 'x'] })\r", r"\{ a: \[ 1, 'x' \] \}", "an object")
ask(s, "_.a.length\r", r"\r\n2\r\n", "the last value")
ask(s, "function twice(n) {\r", r"\| ", "an unfinished function asks for more")
ask(s, "return n * 2; }\r", r"undefined", "and is finished")
ask(s, "twice(21)\r", r"\r\n42\r\n", "and can be called")
ask(s, "const x = await new Promise((r) => setTimeout(r, 20, 'later'))\r", r"undefined", "await at the top")
ask(s, "x\r", r"'later'", "what was awaited stays")
ask(s, "let y = 1\r", r"undefined", "let")
ask(s, "let y = 2; y\r", r"\r\n2\r\n", "let once more")
ask(s, "null.z\r", r"Uncaught TypeError: Cannot read properties of null", "an error")
ask(s, "let = = 3\r", r"Uncaught SyntaxError", "a syntax error")
ask(s, "import a, { b as c } from 'd'\r", r"Uncaught:\r\nSyntaxError: .*const \{ default: a, b: c \} = await import\(\"d\"\);",
    "an import statement: what to type instead")
ask(s, "setTimeout(() => console.log('tick' + 'ed'), 30)\r", r"ticked", "the loop runs while it waits")
ask(s, "setTimeout(() => { throw new Error('lat' + 'er') }, 10)\r", r"Uncaught Error: later", "an error later does not end it")
ask(s, "process.stdo\t", r"process\.stdout", "completion")
s.type("\x15")
ask(s, "os.EOL\r", r"'\\n'", "built-in modules are there by their names")
ask(s, "\x1b[A\r", r"os\.EOL.*'\\n'", "the line before, with the arrow")
ask(s, ".help\r", r"\.break.*\.editor.*\.exit.*\.load.*\.save", ".help")
ask(s, "function (\r", r"Uncaught SyntaxError|\| ", "trouble")
ask(s, ".break\r", r"> ", ".break")
ask(s, ".editor\r", r"Entering editor mode", ".editor")
ask(s, "const e = 5;\re * 2\x04", r"10\r\n", "the editor's text is evaluated")
saved = os.path.join(HOME, "saved.js")
ask(s, f".save {saved}\r", r"Session saved", ".save")
with open(os.path.join(HOME, "load.js"), "w") as file:
    file.write("var loaded = 'it was';\nloaded.toUpperCase()\n")
ask(s, f".load {HOME}/load.js\r", r"'IT WAS'", ".load")
ask(s, "unfinished = [\x03", r"> ", "Ctrl-C leaves a line")
ask(s, "\x03", r"To exit, press Ctrl\+C again", "Ctrl-C asks")
s.type("\x03")
check("Ctrl-C once more ends it", s.end() == 0)

s = Session()
s.wait_for(r"> ")
ask(s, "\x1b[A", r"load\.js", "history outlives the session")
s.type("\x15.exit\r")
check(".exit ends it", s.end() == 0)
check("the history is in its file", os.path.exists(os.path.join(HOME, ".rota_repl_history")))

s = Session(NODE_REPL_HISTORY=os.path.join(HOME, "other"))
s.wait_for(r"> ")
ask(s, "'coloured'\r", r"'coloured'", "a string")
s.type("\x04")
check("Ctrl-D ends it", s.end() == 0)
check("NODE_REPL_HISTORY names the file", os.path.exists(os.path.join(HOME, "other")))

print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(failed != 0)
