"""What passes over this host's loopback, on which the nodes of a testbed speak with each other."""

import socket
import struct
import threading

# Of Linux's packet(7) and socket(7), which Python doesn't name.
_ETH_P_ALL, _SOL_PACKET, _PACKET_STATISTICS, _SO_RCVBUFFORCE = 3, 263, 6, 33
_BUFFER = 1 << 29  # other tests use the loopback, too, and a busy machine lets this one wait
_LONGEST = 1 << 17  # a packet of the loopback has up to 64 KB and headers


class Wire:
    """Inside `with`, remembers which of the words (bytes) were in a packet; root alone may listen.
    `lost` is how many packets nobody has looked at."""

    def __init__(self, *words):
        self._words = words
        # How many packets had come when the end was said; the listener looks at them all, however late it is.
        self._until = None
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
        came, self.lost = struct.unpack("II", self._socket.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
        self._until = came - self.lost
        self._listener.join()
        self._socket.close()

    def _listen(self):
        looked_at = 0
        while self._until is None or looked_at < self._until:
            try:
                packet = self._socket.recv(_LONGEST)
            except socket.timeout:
                if self._until is None:
                    continue
                return
            looked_at += 1
            self.seen |= {word for word in self._words if word not in self.seen and word in packet}
