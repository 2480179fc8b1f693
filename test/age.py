"""Opens a file with `age` in a pseudo terminal of its own, where it asks for the passphrase: PASSPHRASE FROM TO."""
import os, pty, sys

passphrase, source, target = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp('age', ['age', '--decrypt', '--output', target, source])
os.read(terminal, 1000)
os.write(terminal, f'{passphrase}\n'.encode())
try:
    while os.read(terminal, 1000):
        pass
except OSError:
    pass  # The terminal is gone when age has ended.
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
