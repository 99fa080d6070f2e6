# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=dir -DPREFIX=Vx -DSHARDS=n -P shard.cmake: includes all C++ that Verilator wrote
# from files of known names: what hardly runs (set-up, waves) in one, the rest in n. n = 0: all in
# one file, which is quicker to build where headers are most of it.
file(GLOB sources RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}.cpp ${FOLDER}/${PREFIX}_*.cpp)
list(FILTER sources EXCLUDE REGEX "__(shard[0-9]+|seldom|all)\\.cpp$")
list(SORT sources)
set(seldom ${sources})
list(FILTER seldom INCLUDE REGEX "__Slow|__Trace|__Syms")
list(REMOVE_ITEM sources ${seldom})

# write(NAME FILES): one file that includes the others.
function(write NAME)
  set(text "#include \"verify/tile/wide_ports.hpp\"\n")
  foreach(source IN LISTS ARGN)
    string(APPEND text "#include \"${source}\"\n")
    if(SHARDS EQUAL 0 AND source STREQUAL last_often)
      # Optimising the rest, which runs once, would take longer than all before it.
      string(APPEND text "#pragma GCC optimize(\"O0\")\n")
    endif()
  endforeach()
  file(WRITE ${FOLDER}/${PREFIX}__${NAME}.cpp "${text}")
endfunction()

if(SHARDS EQUAL 0)
  list(GET sources -1 last_often)
  write(all ${sources} ${seldom})
  return()
endif()
write(seldom ${seldom})
math(EXPR last "${SHARDS} - 1")
foreach(i RANGE ${last})
  set(shard "")
  list(LENGTH sources count)
  foreach(k RANGE ${i} ${count} ${SHARDS})
    if(k LESS count)
      list(GET sources ${k} source)
      list(APPEND shard ${source})
    endif()
  endforeach()
  write(shard${i} ${shard})
endforeach()
