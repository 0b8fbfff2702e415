#!/bin/sh
# Variables that this runtime cannot obey are not ignored in silence: variables.sh ROTA
rota=$1
fail() { echo "$*"; exit 1; }

said=$(NODE_USE_ENV_PROXY=1 "$rota" -e 'console.log("ran")' 2>&1)
[ $? = 9 ] || fail "NODE_USE_ENV_PROXY=1 was accepted"
case $said in *"NODE_USE_ENV_PROXY is not supported"*) ;; *) fail "no reason: $said" ;; esac
[ "$(NODE_USE_ENV_PROXY=0 "$rota" -p 1 2>&1)" = 1 ] || fail "NODE_USE_ENV_PROXY=0 asks for nothing"

for name in NODE_V8_COVERAGE NODE_ICU_DATA NODE_REPL_EXTERNAL_MODULE; do
  said=$(env $name=/nowhere "$rota" -p 1 2>&1) || fail "$name ends the program"
  case $said in *"$name has no effect"*1) ;; *) fail "$name: $said" ;; esac
  [ "$(env $name=/nowhere NODE_NO_WARNINGS=1 "$rota" -p 1 2>&1)" = 1 ] || fail "$name: warned although not wanted"
  [ "$(env $name= "$rota" -p 1 2>&1)" = 1 ] || fail "$name: empty, and warned of"
done
