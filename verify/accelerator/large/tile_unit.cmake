# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=dir -P tile_unit.cmake: brings what `verilator --hierarchical` wrote for the tile unit,
# in a folder that is named after its parameters, to the files of the accelerator.
set(tile ${CMAKE_CURRENT_LIST_DIR}/../../tile)
file(GLOB module ${FOLDER}/*/td1_tile_unit*.sv)  # what stands for a unit in the accelerator
list(LENGTH module count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${FOLDER}: ${count} models of the tile unit, not one: ${module}")
endif()
get_filename_component(unit ${module} DIRECTORY)
execute_process(COMMAND ${tile}/share_functions.py ${unit} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB files ${unit}/*.h ${unit}/*.cpp)
file(COPY ${files} DESTINATION ${FOLDER})
# What hands the ports over has the unit's name without a V.
execute_process(COMMAND ${CMAKE_COMMAND} -DFOLDER=${FOLDER} -DPREFIX=td1_tile_unit -DSHARDS=0
  -P ${tile}/shard.cmake COMMAND_ERROR_IS_FATAL ANY)
