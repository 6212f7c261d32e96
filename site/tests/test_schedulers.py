"""What a scheduler's environment says, and what of it a step must not inherit."""

import unittest

from spark_hpc.schedulers import Job
from spark_hpc.schedulers.choice import LiveJobs, current
from spark_hpc.schedulers.here import Here
from spark_hpc.schedulers.slurm import Slurm, cores_of_nodes, memory_of_nodes
from spark_hpc.site_conf import SiteConf

# sbatch -N3 --ntasks-per-node=4 --cpus-per-task=2 --mem-per-cpu=1G on Slurm 22.05
ENVIRONMENT = {
    "PATH": "/usr/bin", "SLURM_CLUSTER_NAME": "testbed", "SLURM_CONF": "/etc/slurm.conf",
    "SLURM_CPUS_PER_TASK": "2", "SLURM_CPU_BIND": "cores", "SLURM_EXPORT_ENV": "NONE",
    "SLURM_JOB_CPUS_PER_NODE": "8(x2),4", "SLURM_JOB_ID": "12", "SLURM_JOB_NODELIST": "n[0-2]",
    "SLURM_MEM_PER_CPU": "1024", "SLURM_NTASKS": "12", "SLURM_NTASKS_PER_NODE": "4",
    "SLURM_STEP_ID": "0", "SLURM_SUBMIT_HOST": "login1", "SLURM_THREADS_PER_CORE": "1",
    "SLURMD_NODENAME": "n0", "SRUN_CPUS_PER_TASK": "2",
}


class SlurmTest(unittest.TestCase):
    def test_an_allocation_is_recognised_and_named(self):
        slurm = current(ENVIRONMENT, SiteConf())
        self.assertEqual(slurm.job, Job("slurm", "testbed", "12"))
        self.assertEqual((slurm.node_name(), slurm.login_host()), ("n0", "login1"))
        self.assertIsInstance(current({}, SiteConf()), Here)

    def test_a_step_inherits_the_job_and_nothing_of_its_tasks(self):
        step = Slurm(ENVIRONMENT)._step_environment()
        self.assertEqual(set(step), {"PATH", "SLURM_CLUSTER_NAME", "SLURM_CONF", "SLURM_JOB_ID",
                                     "SLURM_JOB_NODELIST", "SLURM_SUBMIT_HOST"})

    def test_cores_of_nodes_are_counted_out(self):
        self.assertEqual(cores_of_nodes("8(x2),4,16(x1)"), [8, 8, 4, 16])

    def test_memory_is_what_each_node_gives(self):
        shown = ("JobId=12 JobName=x TRES=cpu=20,mem=12000M,node=3,billing=20 NumNodes=3 "
                 "JOB_GRES=(null) Nodes=n[0-1] CPU_IDs=0-7 Mem=4000 GRES= Nodes=n2 CPU_IDs=0-3 "
                 "Mem=2000 GRES= MinCPUsNode=2")
        self.assertEqual(memory_of_nodes(shown), [("n[0-1]", 4000 << 20), ("n2", 2000 << 20)])
        self.assertEqual(memory_of_nodes("x Nodes=n0 CPU_IDs=0 Mem=0 GRES="), [])

    def test_what_cannot_be_known_has_not_ended(self):
        live = LiveJobs({"PATH": "/nowhere", "SLURM_CLUSTER_NAME": "testbed"})
        for job in (Job("slurm", "testbed", "1"), Job("slurm", "other", "1"),
                    Job("unheard", "testbed", "1")):
            self.assertFalse(live.ended(job))


if __name__ == "__main__":
    unittest.main()
