# How the tests are built and found by ctest.
find_package(GTest REQUIRED)
include(GoogleTest)

# A test program made of GoogleTest tests. A unit test needs nothing, the others get the Postgres
# cluster that tests/support starts once. ctest's label is the kind and the room, say unit.base, so
# that `ctest -L unit` and `ctest -L queue` select.
#
#     postrider_test(base_test SOURCES backoff_test.cpp LINK postrider_base LABEL unit)
#
# TIMEOUT is in seconds and per test. CAMPAIGNS names the tests that POSTRIDER_LONG=1 makes long: they
# have an hour then. Tests are listed when ctest runs, not when they are built, and start in the root
# of the source tree.
function(postrider_test target)
  cmake_parse_arguments(TEST "" "LABEL;TIMEOUT" "SOURCES;LINK;CAMPAIGNS" ${ARGN})
  set(labels unit integration end_to_end)
  if(NOT TEST_LABEL IN_LIST labels)
    message(FATAL_ERROR "postrider_test(${target}): LABEL must be one of: ${labels}")
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 240) # of a test that hangs: one that works may have to share the machine
  endif()

  add_executable(${target} ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE
    postrider_options ${TEST_LINK} GTest::gmock GTest::gtest_main)
  target_precompile_headers(${target} REUSE_FROM postrider_base)

  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR
    BASE_DIRECTORY "${CMAKE_SOURCE_DIR}/tests" OUTPUT_VARIABLE place)
  string(REGEX REPLACE "^[^/]+/?([^/]*).*$" "\\1" room "${place}")
  if(room STREQUAL "storage") # where threads meet; all else runs on one loop
    set_property(GLOBAL APPEND PROPERTY postrider_threaded_tests ${target})
  endif()

  if(TEST_LABEL STREQUAL "unit")
    set_property(GLOBAL APPEND PROPERTY postrider_unit_tests ${target})
  endif()

  set(properties TIMEOUT ${TEST_TIMEOUT} LABELS ${TEST_LABEL}.${room})
  if(NOT TEST_LABEL STREQUAL "unit")
    list(APPEND properties FIXTURES_REQUIRED postgres)
  endif()
  gtest_discover_tests(${target}
    DISCOVERY_MODE PRE_TEST
    NO_PRETTY_TYPES NO_PRETTY_VALUES # a value may print as its address, another at every start
    DISCOVERY_TIMEOUT 120
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    PROPERTIES ${properties})
  if(TEST_CAMPAIGNS)
    # ctest reads this behind the list of tests.
    set(limits "${CMAKE_CURRENT_BINARY_DIR}/${target}_campaigns.cmake")
    list(JOIN TEST_CAMPAIGNS " " names)
    file(WRITE "${limits}"
      "if(DEFINED ENV{POSTRIDER_LONG})\n  set_tests_properties(${names} PROPERTIES TIMEOUT 3600)\nendif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${limits}")
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
