#!/usr/bin/env bash
# Makes a distribution of Spark-HPC that runs anywhere: dist/, and with --tgz an archive of it.
set -eu -o pipefail

usage() {
  cat <<'USAGE'
Usage: dev/make-distribution.sh [--name NAME] [--tgz] [--stock] [--connect] [--no-build] [Maven's options]
       dev/make-distribution.sh --patch DIR --to NEW [--no-build] [Maven's options]

  --name NAME   the archive is spark-VERSION-bin-NAME.tgz (default: hpc)
  --tgz         make the archive, in the root directory, too
  --stock       the same Spark without our patch and our jars, to compare with: in dist-stock/,
                the name is "stock" by default
  --connect     with Spark Connect's server, of an older Spark: no registry has that of this one
  --patch DIR   patch the stock Spark installed in DIR instead (--to says where; never in place)
  --to NEW      the directory that --patch makes
  --no-build    take the jars of the last build as they are
  --help        print this

Other options go to Maven, such as -o, -Pprofile, -Dproperty=value.
USAGE
}

fail() {
  echo "make-distribution: $2" >&2
  exit "$1"
}

root=$(cd -P -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
name='' tgz=false stock=false connect=false build=true patch='' to='' maven=()
while (($# > 0)); do
  case $1 in
    --name)
      [[ ${2:-} =~ ^[A-Za-z0-9._-]+$ ]] || fail 2 "--name needs a name of letters, digits, . _ and -"
      name=$2
      shift
      ;;
    --patch | --to)
      [[ -n ${2:-} ]] || fail 2 "$1 needs a directory"
      if [[ $1 == --to ]]; then to=$2; else patch=$2; fi
      shift
      ;;
    --tgz) tgz=true ;;
    --stock) stock=true ;;
    --connect) connect=true ;;
    --no-build) build=false ;;
    --help | -h)
      usage
      exit
      ;;
    --*) fail 2 "unknown option $1 (--help lists them)" ;;
    -*)
      maven+=("$1")
      # These options have their value in the next word.
      if [[ $1 =~ ^-[PDsTt]$ ]] && (($# > 1)); then
        maven+=("$2")
        shift
      fi
      ;;
    *) fail 2 "unknown argument $1 (--help lists the options)" ;;
  esac
  shift
done

[[ -n $patch || -z $to ]] || fail 2 "--to goes with --patch"
[[ -z $patch || -n $to ]] || fail 2 "--patch needs --to: an installed Spark is never patched in place"
[[ -z $patch || $tgz$stock$connect$name == falsefalsefalse ]] ||
  fail 2 "--patch takes neither --name, --tgz, --stock nor --connect"

module=dev/distribution dist=$root/dist
if [[ $stock == true ]]; then
  module=dev/distribution-stock dist=$root/dist-stock
fi
name=${name:-$([[ $stock == true ]] && echo stock || echo hpc)}
target=$root/$module/target

# Shows a line for each module, keeps the whole log, and shows its errors if the build fails.
run_maven() {
  local log=$root/target/make-distribution.log
  mkdir -p "$root/target"
  echo "building (log: $log)"
  if ! (cd "$root" && mvn -B -ntp package -DskipTests -pl "$module" -am ${maven[@]+"${maven[@]}"} 2>&1) |
    tee "$log" | sed -nu 's/^\[INFO\] Building \(Spark-HPC.*\)/  \1/p'; then
    grep '^\[ERROR\]' "$log" | head -n 20 >&2 || true
    fail 1 "the build failed: $log"
  fi
}

# Prints the version in the name of a jar in target/jars, such as that of spark-sql_2.12.
version_of() {
  local jars=("$target/jars/$1"-[0-9]*.jar) file
  [[ ${#jars[@]} == 1 && -f ${jars[0]} ]] ||
    fail 1 "not exactly one $1 in $target/jars: build without --no-build"
  file=${jars[0]##*/}
  file=${file#"$1-"}
  echo "${file%.jar}"
}

# Refuses classes that were compiled after the jars were made, as mvn -pl MODULE leaves them.
check_jars() {
  local module jar newer
  while read -r module jar; do
    newer=$(find "$root/$module" -name '*.class' -newer "$target/jars/$jar" -print -quit)
    [[ -z $newer ]] || fail 1 "${newer#"$root/"} is newer than $target/jars/$jar: build without --no-build"
  done <<MODULES
engine/target/classes spark-core_2.12-$version.jar
core/target/own-classes spark-core_2.12-$version.jar
graphx/target/own-classes spark-graphx_2.12-$version.jar
hpc-shuffle/target/classes spark-hpc-shuffle_2.12-$version.jar
report/target/classes spark-hpc-report_2.12-$version.jar
sql/target/classes spark-hpc-sql_2.12-$version.jar
site/pages/target/classes spark-hpc-pages-$version.jar
MODULES
}

release() {
  local spark scala hadoop flags=() who
  spark=$(version_of spark-sql_2.12)
  scala=$(version_of scala-library)
  hadoop=$(version_of hadoop-client-api)
  who="Spark-HPC $version, Spark $spark"
  if [[ $stock == true ]]; then
    who="Spark $version (stock, none of Spark-HPC)"
    flags+=(--stock)
  fi
  [[ $connect == false ]] || flags+=(--connect)
  flags+=(--name "$name" ${maven[@]+"${maven[@]}"})
  echo "$who, Scala $scala, built for Hadoop $hadoop. Build flags: ${flags[*]}"
}

# Prints the modules of dev/distribution/modules that come from one place, or all of them.
modules_from() {
  awk -v place="${1:-}" '!/^#/ && NF == 2 && (place == "" || $2 == place) { print $1 }' \
    "$root/dev/distribution/modules"
}

# Adds jars that are in no Maven repository, PySpark, and the licences of what Spark's jars contain.
add_from_python_package() {
  local to=$1 spark module jars=() from=$root/dev/from-python-package
  spark=$(version_of spark-sql_2.12)
  while read -r module; do
    jars+=("deps/jars/spark-${module}_2.12-$spark.jar")
  done < <(modules_from package)
  "$from" "$spark" "$to/jars" "${jars[@]}"
  "$from" "$spark" "$to/python" pyspark lib
  "$from" "$spark" "$work/licences" deps/licenses
  cp "$work"/licences/licenses/* "$to/licenses/"
}

# Says which Connect server the distribution has.
connect_of() {
  local jars=("$1"/jars/spark-connect_2.12-*.jar) version
  if [[ -f ${jars[0]} ]]; then
    version=${jars[0]##*_2.12-}
    echo "Spark Connect's server is that of Spark ${version%.jar}, which hasn't the fixes of later releases"
  else
    echo "no Spark Connect server: no registry has that of this Spark; --connect adds an older one"
  fi
}

# Checks that no module and no part of PySpark is missing.
check_modules() {
  local module jars
  while read -r module; do
    jars=("$1/jars/spark-${module}_2.12-"*.jar)
    [[ ${#jars[@]} == 1 && -f ${jars[0]} ]] ||
      fail 1 "not exactly one jar of Spark's module $module, which dev/distribution/modules names"
  done < <(modules_from)
  jars=("$1"/python/lib/pyspark.zip "$1"/python/lib/py4j-*-src.zip)
  [[ ${#jars[@]} == 2 && -f ${jars[0]} && -f ${jars[1]} && -f $1/python/pyspark/__init__.py ]] ||
    fail 1 "PySpark is incomplete in $1/python"
}

# Adds the commands for installation and jobs at a site, and their sources.
add_site_module() {
  cp "$root"/site/bin/* "$1/bin/"
  cp "$root"/site/sbin/* "$1/sbin/"
  mkdir "$1/site"
  cp -R "$root/site/lib" "$root/site/command.py" "$root/site/run-python.sh" "$1/site/"
  find "$1/site" -name __pycache__ -prune -exec rm -rf {} +
}

# Adds what sbin/hpc-patch needs besides the patched jars.
add_patch() {
  local weaver=("$root"/dev/weaver/target/spark-hpc-weaver-*-cli.jar)
  local core=$root/core/target/own-classes/META-INF/spark-hpc graphx=$root/graphx/target/own-classes/META-INF/spark-hpc
  [[ -f ${weaver[0]} && -d $core && -d $graphx ]] ||
    fail 1 "no weaver or no classes of core and graphx: build without --no-build"
  mkdir "$1/patch"
  cp "${weaver[0]}" "$1/patch/weaver.jar"
  cp "$core/build.properties" "$core/spark-core.sites" "$graphx/spark-graphx.sites" "$1/patch/"
}

# Adds the pages, whose links to sources need a checkout, and the definition of a container image.
add_pages() {
  local page
  while IFS= read -r page; do
    mkdir -p "$1/${page%/*}"
    cp "$root/$page" "$1/$page"
  done < <(cd "$root" && find docs \( -name '*.md' -o -name '*.png' \) ! -path '*/target/*')
  cp "$root/README.md" "$root/CHANGELOG.md" "$1/"
  mkdir "$1/site/containers" "$1/site/grafana"
  cp "$root"/site/containers/*.def "$1/site/containers/"
  cp "$root"/site/grafana/*.json "$1/site/grafana/"
}

# Fails if another Spark jar has a site that constructs what we replace: that site would stay stock.
check_other_jars() {
  local jar others=() weaver=("$root"/dev/weaver/target/spark-hpc-weaver-*-cli.jar)
  for jar in "$1"/jars/spark-*.jar; do
    [[ $jar == */spark-core_* ]] || others+=("$jar")
  done
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" -jar "${weaver[0]}" scan \
    --sites "$root/core/src/main/sites/spark-core.sites" "${others[@]}" >"$work/scan" ||
    fail 1 "a jar other than spark-core has sites that the site list lacks: $(cat "$work/scan")"
}

assemble() {
  local to=$1
  cp -R "$root/dev/distribution/bin" "$root/dev/distribution/sbin" "$root/dev/distribution/conf" \
    "$target/jars" "$target/licenses" "$root/LICENSE" "$root/NOTICE" "$to/"
  add_from_python_package "$to"
  [[ $connect == false ]] || "$root/dev/add-connect" "$to"
  check_modules "$to"
  release >"$to/RELEASE"
  if [[ $stock == false ]]; then
    check_other_jars "$to"
    add_site_module "$to"
    add_patch "$to"
    add_pages "$to"
    cp "$root"/dev/distribution/licenses/* "$to/licenses/"
    mkdir -p "$to/examples/jars" "$to/agent"
    cp "$target"/agent/*.jar "$to/agent/"
    cp "$target"/examples/*.jar "$to/examples/jars/"
    cp "$root/examples/programs" "$to/examples/"
    # The launcher recognises the examples' jar by the beginning of its name.
    local jar
    for jar in "$to"/examples/jars/spark-hpc-examples_*; do
      mv "$jar" "${jar/spark-hpc-examples/spark-examples}"
    done
  fi
  [[ $stock == true ]] || "$root/dev/distribution/complete-bom" "$target/bom.json" "$to"
  # Other users can run it, whatever the builder's umask is.
  chmod -R u=rwX,go=rX "$to"
}

# The same content gives the same bytes: order, times and owners are fixed, and no compression time is stored.
archive() {
  local top=spark-$version-bin-$name
  local out=$root/$top.tgz
  tar --sort=name --mtime='2026-11-21 00:00:00Z' --owner=0 --group=0 --numeric-owner \
    --format=ustar --transform "s,^\.,$top," -C "$dist" -cf - . | gzip -n >"$work/tgz"
  chmod 644 "$work/tgz"
  mv -f "$work/tgz" "$out"
  echo "made $out"
}

[[ -w $root ]] || fail 1 "can't write in $root"
if [[ $build == true ]]; then
  "$root/dev/require" jdk maven python pip
  run_maven
fi
[[ -d $target/jars ]] || fail 1 "no jars in $target: build without --no-build"
version=$(version_of spark-core_2.12)
[[ $stock == true ]] || check_jars

work=$(mktemp -d "$root/.make-distribution.XXXXXX") || fail 1 "can't write in $root"
trap 'rm -rf "$work"' EXIT
if [[ -n $patch ]]; then
  # hpc-patch needs only these parts of a distribution.
  mkdir "$work/jars"
  cp "$target"/jars/spark-{core,graphx,hpc-shuffle,hpc-report,hpc-sql}_2.12-"$version.jar" "$work/jars/"
  cp -R "$root/dev/distribution/sbin" "$work/"
  add_patch "$work"
  "$work/sbin/hpc-patch" "$patch" "$to"
  exit
fi
mkdir "$work/dist"
assemble "$work/dist"
if [[ -e $dist ]]; then
  mv "$dist" "$work/old" || fail 1 "can't replace $dist"
fi
if ! mv "$work/dist" "$dist"; then
  [[ ! -e $work/old ]] || mv "$work/old" "$dist"
  fail 1 "can't make $dist"
fi
echo "made $dist: $(cat "$dist/RELEASE")"
connect_of "$dist"
if [[ $tgz == true ]]; then
  archive
fi
