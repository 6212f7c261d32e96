"""The module file of one version, in Tcl, because Lmod and environment-modules both read it.

It derives the installation's path from its own, so that a prefix can be moved.
"""

# Lmod and environment-modules both set ModulesCurrentModulefile. `file normalize` doesn't follow a link in
# the last part of a path, so `_` is appended.
_TEMPLATE = """\
#%Module1.0
## Spark-HPC {version}, written by hpc-install: settings are in conf/site.conf

set version {version}
set here [file dirname [file normalize [file join $ModulesCurrentModulefile _]]]
set prefix [file dirname [file dirname [file dirname $here]]]
set home [file join $prefix $version]

proc ModulesHelp {{}} {{
    puts stderr "Spark-HPC {version}: Apache Spark for supercomputers.

Inside a job:
  spark-hpc start                 a cluster on the job's nodes
  spark-hpc submit PROGRAM ...    as spark-submit; also shell, pyspark, sql
  spark-hpc stop
"
}}

module-whatis "Name: Spark-HPC"
module-whatis "Version: {version}"
module-whatis "Description: Apache Spark for supercomputers"

{relations}
setenv SPARK_HOME $home
prepend-path PATH [file join $home bin]
prepend-path PYTHONPATH [file join $home python]
prepend-path PYTHONPATH [file join $home python lib {py4j}]
prepend-path PYTHONPATH [file join $home site lib]
{java}"""


def text(version, py4j, conf):
    # Older environment-modules have no families; a conflict has nearly the same effect.
    relations = [f"if {{[llength [info commands family]]}} {{\n    family {conf['module.family']}\n}}"]
    relations += [f"conflict {name}" for name in [conf["module.name"], *conf["module.conflict"]]]
    relations += [f"module load {name}" for name in conf["module.load"]]
    java = f"setenv JAVA_HOME {{{conf['java.home']}}}\n" if conf["java.home"] else ""
    return _TEMPLATE.format(version=version, py4j=py4j, java=java,
                            relations="\n".join(relations) + "\n")
