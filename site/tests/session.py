"""A user's program with a cluster of its own: says what it counted, and whom its pages let in."""

import http.client
import json
import os
import time
import urllib.parse

import spark_hpc

PATIENCE = 300  # seconds until a page has been made, for which Java loads many classes


def status(url, key=None, cookie=None):
    """The code of the answer to that request; the cookie that it sets; and who may have that."""
    place = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
    connection.request("GET", (place.path or "/") + (f"?key={key}" if key else ""),
                       headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    cookie, *limits = answer.getheader("Set-Cookie", "").split("; ")
    return answer.status, cookie, sorted(limits)


def figures(url, token):
    """The code and the text of the answer to Prometheus, which has this token."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=PATIENCE)
    connection.request("GET", "/metrics/hpc/prometheus/",
                       headers={"Authorization": f"Bearer {token}"} if token else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


with spark_hpc.cluster(nodes=1, settings={"network.interfaces": "e*, lo"}) as spark:
    print("count", spark.range(1000).count())
    context = spark.sparkContext
    run = os.path.expanduser(f"~/.spark-hpc/slurm-testbed-{os.environ['SLURM_JOB_ID']}")
    with open(os.path.join(run, "key"), encoding="ascii") as f:
        key = f.read().strip()
    with open(os.path.join(run, "master.json"), encoding="utf-8") as f:
        master = json.load(f)["page"]
    for name, url in (("page", f"{context.uiWebUrl}/jobs/"), ("master's", f"{master}/"),
                      ("for scripts", f"{master}/json/"),
                      ("by the master's", f"{master}/proxy/{context.applicationId}/jobs/")):
        anybody, wrong, ours = status(url), status(url, key + "x"), status(url, key)
        print(f"{name}: {anybody[0]} {wrong[0]} {ours[0]} {status(url, cookie=ours[1])[0]}")
        print("cookie:", *ours[2])
    refused = [figures(context.uiWebUrl, token)[0] for token in (None, key + "x")]
    while True:
        code, text = figures(context.uiWebUrl, key)
        # Executors send their first figures after 2 s.
        if code != 200 or "spark_hpc_process_heap{" in text:
            break
        time.sleep(0.1)
    print("for Prometheus:", *refused, code)
    environment = http.client.HTTPConnection(urllib.parse.urlsplit(context.uiWebUrl).netloc, timeout=PATIENCE)
    environment.request("GET", "/environment/", headers={"Cookie": ours[1]})
    print("key on a page:", key in environment.getresponse().read().decode())
