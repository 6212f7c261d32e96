"""What a Connect server answers to an empty call of each of its methods: connect_methods.py ADDRESS KEY

Prints "result METHOD WITHOUT WITH", the codes without and with the key.
"""

import sys

import grpc
from pyspark.sql.connect.proto import base_pb2

PATIENCE = 30  # seconds; a call that got in may wait for more


def code(channel, path, *headers):
    try:
        # Whether a method streams can't be seen in a call of one message.
        for _ in channel.stream_stream(path)(iter([b""]), metadata=headers, timeout=PATIENCE):
            pass
        return "OK"
    except grpc.RpcError as refused:
        return refused.code().name


def main():
    service = base_pb2.DESCRIPTOR.services_by_name["SparkConnectService"]
    with grpc.insecure_channel(sys.argv[1]) as channel:
        for method in service.methods:
            path = f"/{service.full_name}/{method.name}"
            print("result", method.name, code(channel, path),
                  code(channel, path, ("x-spark-hpc-key", sys.argv[2])), flush=True)


main()
