"""The choice of the scheduler that this process runs under, and whether jobs of any scheduler have ended."""

from spark_hpc.schedulers.flux import Flux
from spark_hpc.schedulers.here import Here
from spark_hpc.schedulers.lsf import Lsf
from spark_hpc.schedulers.pbs import Pbs
from spark_hpc.schedulers.slurm import Slurm

# Flux is last, because it may run inside a job of another scheduler.
BATCH = [Slurm, Pbs, Lsf, Flux]
_BY_NAME = {"slurm": Slurm, "pbs": Pbs, "lsf": Lsf, "flux": Flux, "here": Here}


def current(env, conf):
    """The scheduler of the allocation; outside an allocation, this host."""
    return next((kind for kind in BATCH if kind.found(env)), Here)(env, conf)


class LiveJobs:
    """Answers whether jobs have ended, by asking each scheduler once."""

    def __init__(self, env):
        self._env = env
        self._known = {}

    def ended(self, job):
        """True only if it is certain that the job has ended."""
        kind = _BY_NAME.get(job.scheduler)
        if kind is None:
            return False
        key = (job.scheduler, job.cluster)
        if key not in self._known:
            self._known[key] = kind.live_jobs(self._env, job.cluster)
        return self._known[key] is not None and job.id not in self._known[key]
