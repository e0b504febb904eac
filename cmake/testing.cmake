# How the tests are built and found by ctest.
find_package(GTest REQUIRED)

# Compiles what tests are made of without optimisation: it runs once, and is compiled often. The address
# sanitizer reads it, but what is undefined is looked for in the product alone: that saves a quarter of the
# time. All of it shares one precompiled header. The last option counts, and a library's own stand before
# those of what it links: hence two libraries.
add_library(postrider_test_code INTERFACE)
target_compile_options(postrider_test_code INTERFACE -O0)
if(POSTRIDER_SANITIZE MATCHES "undefined")
  target_compile_options(postrider_test_code INTERFACE -fno-sanitize=undefined)
endif()
add_library(postrider_test_options INTERFACE)
target_link_libraries(postrider_test_options INTERFACE postrider_options postrider_test_code GTest::gmock)

# postrider_test_library(postrider_queue_world postrider_queue postrider_test_support): what a library
# of the tests links.
function(postrider_test_library target)
  target_link_libraries(${target} PUBLIC postrider_test_options ${ARGN})
  target_precompile_headers(${target} REUSE_FROM postrider_test_support)
  postrider_unity(${target} 12)
endfunction()

# A test program made of GoogleTest tests, below tests/KIND/ROOM: KIND is unit, integration or
# end_to_end. ctest's label is KIND.ROOM, so that `ctest -L unit` and `ctest -L queue` select. A unit test
# needs nothing, the others get the Postgres cluster that tests/support starts once.
#
#     postrider_test(base_test SOURCES backoff_test.cpp LINK postrider_base)
#
# ctest runs a program as SHARDS processes, each with its share of the tests. Their reports are
# reports/PROGRAM.SHARD.xml in the build folder. Tests start in the root of the source tree.
function(postrider_test target)
  cmake_parse_arguments(TEST "" "SHARDS" "SOURCES;LINK" ${ARGN})
  if(NOT TEST_SHARDS)
    set(TEST_SHARDS 1)
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR
    BASE_DIRECTORY "${CMAKE_SOURCE_DIR}/tests" OUTPUT_VARIABLE place)
  string(REGEX MATCH "^(unit|integration|end_to_end)/([^/]+)" label "${place}")
  if(NOT label)
    message(FATAL_ERROR "postrider_test(${target}): not below tests/KIND/ROOM")
  endif()
  string(REPLACE "/" "." label "${label}")

  add_executable(${target} ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE postrider_test_options ${TEST_LINK} GTest::gtest_main)
  target_precompile_headers(${target} REUSE_FROM postrider_test_support)
  postrider_unity(${target} 12)

  math(EXPR last "${TEST_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(name ${target}.${shard})
    add_test(NAME ${name} COMMAND ${target} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES
      LABELS ${label}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${TEST_SHARDS};GTEST_SHARD_INDEX=${shard};GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/reports/${name}.xml")
    if(NOT label MATCHES "^unit")
      set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED postgres)
    endif()
  endforeach()
  if(label MATCHES "^unit")
    set_property(GLOBAL APPEND PROPERTY postrider_unit_tests ${target})
  endif()
endfunction()

# A libFuzzer target, named <what>_fuzzer. Only with POSTRIDER_FUZZ.
#
#     postrider_fuzzer(json_fuzzer SOURCES json_fuzzer.cpp LINK postrider_base)
function(postrider_fuzzer target)
  cmake_parse_arguments(FUZZER "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${target} ${FUZZER_SOURCES})
  target_link_libraries(${target} PRIVATE postrider_options ${FUZZER_LINK})
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  set_property(GLOBAL APPEND PROPERTY postrider_fuzzers ${target})
endfunction()
