# game_sources(OUT TEMPLATE): writes one source file for every row of core/games/list.hpp from a
# template, with @CLASS@ and @STEM@ replaced, and lists them in OUT. One translation unit a game keeps
# compile times and the compiler's memory low, and a new game is one new row.
get_filename_component(ANDORRA_GAME_LIST ${CMAKE_CURRENT_LIST_DIR}/../core/games/list.hpp ABSOLUTE)

function(game_sources out template)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ANDORRA_GAME_LIST})
  file(READ ${ANDORRA_GAME_LIST} rows)
  string(REGEX MATCHALL "X\\([A-Z][A-Za-z0-9]*, \"[a-z0-9_]+\"\\)" rows "${rows}")
  set(sources)
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "X\\((.*), .*" "\\1" CLASS ${row})
    string(REGEX REPLACE ".*\"(.*)\".*" "\\1" STEM ${row})
    configure_file(${template} ${CMAKE_CURRENT_BINARY_DIR}/games/${STEM}.cpp @ONLY)
    list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/games/${STEM}.cpp)
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()
