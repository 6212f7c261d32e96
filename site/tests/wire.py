"""What passes over this host's loopback, on which the nodes of a testbed speak with each other."""

import socket
import struct
import threading

# Of Linux's packet(7) and socket(7), which Python doesn't name.
_ETH_P_ALL, _SOL_PACKET, _PACKET_STATISTICS, _SO_RCVBUFFORCE = 3, 263, 6, 33
_BUFFER = 1 << 28  # other tests use the loopback, too, and a busy machine lets this one wait
_LONGEST = 1 << 17  # a packet of the loopback has up to 64 KB and headers


class Wire:
    """Inside `with`, remembers which of the words (bytes) were in a packet; root alone may listen.
    `lost` is how many packets nobody has looked at."""

    def __init__(self, *words):
        self._words = words
        self._ends = threading.Event()
        self.seen = set()
        self.lost = None

    def __enter__(self):
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
        self._socket.bind(("lo", 0))
        self._socket.settimeout(0.2)
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._listener.join()
        _, self.lost = struct.unpack("II", self._socket.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
        self._socket.close()

    def _listen(self):
        while not self._ends.is_set():
            try:
                packet = self._socket.recv(_LONGEST)
            except socket.timeout:
                continue
            self.seen |= {word for word in self._words if word in packet}
