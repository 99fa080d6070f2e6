# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=dir -DPREFIX=Vx -DSHARDS=n -P shard.cmake: includes all C++ that Verilator wrote
# from n files of known names.
file(GLOB sources RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}.cpp ${FOLDER}/${PREFIX}_*.cpp)
list(FILTER sources EXCLUDE REGEX "__shard[0-9]+\\.cpp$")
list(SORT sources)
math(EXPR last "${SHARDS} - 1")
foreach(i RANGE ${last})
  set(text${i} "")
endforeach()
set(next 0)
foreach(source IN LISTS sources)
  string(APPEND text${next} "#include \"${source}\"\n")
  math(EXPR next "(${next} + 1) % ${SHARDS}")
endforeach()
foreach(i RANGE ${last})
  file(WRITE ${FOLDER}/${PREFIX}__shard${i}.cpp "${text${i}}")
endforeach()
