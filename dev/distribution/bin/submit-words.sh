# shellcheck shell=bash
# Sourced by spark-submit and run-example: reads the words of spark-submit's command line as its launcher does.

# submit_words WORDS: sets these variables for the script that sources this:
#   submit_program   the first word that is neither an option nor an option's value
#   submit_class     what --class names
#   submit_brings    yes if --jars or --packages add other jars
#   submit_version   yes if --version is among the options
# shellcheck disable=SC2034
submit_words() {
  submit_program='' submit_class='' submit_brings='' submit_version=''
  while (($# > 0)); do
    case $1 in
      --version) submit_version=yes ;;
      # These take no value.
      --help | -h | --supervise | --usage-error | --verbose | -v) ;;
      --class=*) submit_class=${1#*=} ;;
      --jars=* | --packages=*) submit_brings=yes ;;
      --*=*) ;;
      -*)
        case $1 in
          --class) submit_class=${2:-} ;;
          --jars | --packages) submit_brings=yes ;;
        esac
        (($# == 1)) || shift
        ;;
      *)
        submit_program=$1
        return
        ;;
    esac
    shift
  done
}
