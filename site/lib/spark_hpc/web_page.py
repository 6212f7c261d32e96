"""Shows how a user reaches a web page of the job, which requires its user's key."""

import sys


def show(name, address, key_file, tunnel):
    """Prints the page's address and how to reach it. The key is printed on a terminal only: whoever has it
    can open the page, and output is kept in files that others may read. `tunnel` is the command that forwards
    port 8080 of the user's own machine, or None."""
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
    """The command that forwards `port` of the user's own machine to that address, or None."""
    login = scheduler.login_host()
    return login and f"ssh -N -L {port}:{address} {env.get('USER', 'USER')}@{login}"
