# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE -DHW=a.v;b.v -DPRESETS=a.toml -DTECHNOLOGIES=a.toml -P embed.cmake: writes
# embedded files as C++.
function(table NAME FILES RESULT)
  set(text "const std::vector<EmbeddedFile>& ${NAME}() {\n")
  string(APPEND text "  static const std::vector<EmbeddedFile> files = {\n")
  foreach(file IN LISTS FILES)
    get_filename_component(stem "${file}" NAME_WE)
    file(READ "${file}" body)
    string(APPEND text "{\"${stem}\", R\"embedded(${body})embedded\"},\n")
  endforeach()
  set(${RESULT} "${text}};\n  return files;\n}\n" PARENT_SCOPE)
endfunction()

table(leaf_cells "${HW}" cells)
table(presets "${PRESETS}" presets)
table(technologies "${TECHNOLOGIES}" technologies)
file(WRITE "${OUT}.tmp"
  "#include \"gen/embedded.hpp\"\nnamespace td {\n${cells}${presets}${technologies}}  // namespace td\n")
file(RENAME "${OUT}.tmp" "${OUT}")
