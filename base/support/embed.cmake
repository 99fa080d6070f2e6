# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE -DHEADER=x.hpp -DNAMESPACE=td "-DTABLES=x;y" "-Dx=FOLDER/*.v" "-Dy=FOLDER/*.toml"
# -P embed.cmake: writes embedded files as C++, one table for each name in TABLES.
function(table NAME PATTERN RESULT)
  file(GLOB files ${PATTERN})
  set(text "const std::vector<EmbeddedFile>& ${NAME}() {\n")
  string(APPEND text "  static const std::vector<EmbeddedFile> files = {\n")
  foreach(file IN LISTS files)
    get_filename_component(stem "${file}" NAME_WE)
    file(READ "${file}" body)
    string(APPEND text "{\"${stem}\", R\"embedded(${body})embedded\"},\n")
  endforeach()
  set(${RESULT} "${text}};\n  return files;\n}\n" PARENT_SCOPE)
endfunction()

set(tables "")
foreach(name IN LISTS TABLES)
  table(${name} "${${name}}" body)
  string(APPEND tables "${body}")
endforeach()
file(WRITE "${OUT}.tmp"
  "#include \"${HEADER}\"\nnamespace ${NAMESPACE} {\n${tables}}  // namespace ${NAMESPACE}\n")
file(RENAME "${OUT}.tmp" "${OUT}")
