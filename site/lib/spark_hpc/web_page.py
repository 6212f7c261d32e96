"""How a user reaches a web page of the job that lets in who has its key."""

import sys


def show(name, address, key_file, tunnel):
    """The key, which lets in whoever has it, on a terminal alone: output is kept in files that others may
    read. `tunnel` is the command of the user's own machine, to its port 8080, or None."""
    key = "KEY"
    if sys.stdout.isatty():
        with open(key_file, encoding="ascii") as f:
            key = f.read().strip()
    print(f"{name:8} {address}/?key={key}")
    if tunnel:
        print(f"tunnel   {tunnel}   and then http://localhost:8080/?key={key}")
    if key == "KEY":
        print(f"key      {key_file}")


def tunnel(scheduler, env, port, address):
    """The command by which the user's own machine reaches that address at its port; or None."""
    login = scheduler.login_host()
    return login and f"ssh -N -L {port}:{address} {env.get('USER', 'USER')}@{login}"
