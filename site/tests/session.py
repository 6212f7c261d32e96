"""A user's program with a cluster of its own: says what it counted, and who reaches its ports."""

import json
import os
import socket
import urllib.request

import spark_hpc


def reached(host, port):
    try:
        socket.create_connection((host, port), 5).close()
    except OSError:
        return False
    return True


with spark_hpc.cluster(nodes=1, settings={"network.interfaces": "e*"}) as spark:
    print("count", spark.range(1000).count())
    context = spark.sparkContext
    address = context.getConf().get("spark.driver.host")
    with open(os.path.join(os.environ["SPARK_CONF_DIR"], "..", "..", "master.json"),
              encoding="utf-8") as f:
        master = json.load(f)
    for name, url in (("page", context.uiWebUrl), ("master's page", master["page"]),
                      ("driver", f"x:{context.getConf().get('spark.driver.port')}"),
                      ("master", master["url"])):
        port = int(url.rstrip("/").rsplit(":", 1)[1])
        print(f"{name}: {reached('127.0.0.1', port)} {reached(address, port)}")
    ours = f"{master['page'].rstrip('/')}/proxy/{context.applicationId}/jobs/"
    with urllib.request.urlopen(ours) as f:
        print("by the master's page:", "Spark Jobs" in f.read().decode())
