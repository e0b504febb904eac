# What every target is compiled with: postrider_options. Sanitizers and warnings come from presets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_SOURCE_DIR}/cmake/cached_compiler" "${CMAKE_SOURCE_DIR}" "${CCACHE}")
endif()

add_library(postrider_options INTERFACE)
target_include_directories(postrider_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(postrider_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  $<$<BOOL:${POSTRIDER_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:Clang>:-Xclang -fno-pch-timestamp>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion> # which g++'s -Wconversion does not include
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  # Optimising, g++ 12 and 14 take Asio's own coroutine frames and inlined short strings for mistakes.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-mismatched-new-delete;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict>)

# g++ collects its garbage less often: an eighth of the time for some hundred MB.
target_compile_options(postrider_options INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-expand=300 --param ggc-min-heapsize=1000000>")

# In a unity build a name of another file is no name that is shadowed, and g++ takes frames of coroutines for
# ones that other files use. The preset dev, which compiles file by file, looks for both, and
# scripts/check-clang --each for the first.
if(CMAKE_UNITY_BUILD)
  target_compile_options(postrider_options INTERFACE
    -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# What nothing calls is left out of the release: less code is less memory.
target_compile_options(postrider_options INTERFACE
  $<$<CONFIG:Release>:-ffunction-sections;-fdata-sections>)
target_link_options(postrider_options INTERFACE $<$<CONFIG:Release>:-Wl,--gc-sections>)

find_program(MOLD mold)
if(MOLD)
  target_link_options(postrider_options INTERFACE -fuse-ld=mold)
endif()

if(POSTRIDER_SANITIZE)
  target_compile_options(postrider_options INTERFACE
    -fsanitize=${POSTRIDER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # In instrumented code g++ sees uninitialised variants and mismatched frames of coroutines that are none.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-mismatched-new-delete>)
  target_link_options(postrider_options INTERFACE -fsanitize=${POSTRIDER_SANITIZE})
  if(POSTRIDER_SANITIZE MATCHES "address")
    # Every test is a process. One whose addresses are fixed begins in two thirds of the time.
    target_link_options(postrider_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-no-pie>)
  endif()
  if(POSTRIDER_SANITIZE STREQUAL "thread")
    # Asio's fences between threads stand beside locks, which the sanitizer does see.
    target_compile_options(postrider_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
  if(POSTRIDER_SANITIZE MATCHES "undefined")
    # Null and misaligned pointers crash or are found by the address sanitizer; to look for them at each use
    # took as long to compile as the program itself.
    target_compile_options(postrider_options INTERFACE
      -fno-sanitize=null,alignment,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute)
  endif()
  if(POSTRIDER_SANITIZE MATCHES "address")
    # Looks at memory by calls, not by code at each place: less to compile.
    target_compile_options(postrider_options INTERFACE
      "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param asan-instrumentation-with-call-threshold=0>")
  endif()
  # Of "undefined": vptr opens a pipe to see whether an object is there, so where descriptors have run
  # out, as a test brings about, it takes good objects for broken ones. Bad ones the address sanitizer
  # sees as well.
  target_compile_options(postrider_options INTERFACE -fno-sanitize=vptr)
  # Of "undefined": clang 14 cannot compile coroutines with it (llvm/llvm-project issue 49689).
  target_compile_options(postrider_options INTERFACE
    $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
endif()

if(POSTRIDER_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "POSTRIDER_FUZZ needs clang: use the preset fuzz")
  endif()
  target_compile_options(postrider_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Unity builds compile about `files` files of one folder together; the presets that nobody edits in ask
# for them (CMAKE_UNITY_BUILD). A file that is added to a folder moves only that folder's later groups. The
# release, which is built from nothing more often than again, has larger ones that pass over folders.
function(postrider_unity target files)
  if(CMAKE_UNITY_BUILD_BATCH_SIZE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "group_${folder}" group)
    if(NOT DEFINED ${group})
      set(${group} 0)
    endif()
    math(EXPR part "${${group}} / ${files}")
    math(EXPR ${group} "${${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
endfunction()

include(CheckCXXCompilerFlag)
set(target_part_of_o2 -munroll-only-small-loops -mvzeroupper)
check_cxx_compiler_flag("${target_part_of_o2}" POSTRIDER_O2_SETS_TARGET)

# One room of the house: a static library that shares base's precompiled header. Its sources are those of its folder
# and of all below FOLDERS, without EXCEPT, and what the build GENERATED.
# postrider_room(queue FOLDERS run store GENERATED statements.cpp LINK postrider_storage)
# COLD says that its code waits for models and people: the release compiles it for less of the processor's time
# than the rooms that every update goes through.
#
# What is generated from texts becomes a library of its own, which links nothing. CMake generates files of a target
# only once all that the target links is built, and compiles no file of the target before that: a core
# would have nothing to do at the end of each room.
function(postrider_room name)
  cmake_parse_arguments(ROOM "COLD" "" "FOLDERS;EXCEPT;GENERATED;LINK" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "postrider_room(${name}) does not know ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  list(TRANSFORM ROOM_FOLDERS APPEND /*.cpp)
  if(ROOM_FOLDERS)
    file(GLOB_RECURSE below CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ROOM_FOLDERS})
  endif()
  list(APPEND sources ${below} ${ROOM_GENERATED})
  list(REMOVE_ITEM sources "" ${ROOM_EXCEPT})
  get_property(embedded DIRECTORY PROPERTY postrider_embedded)
  if(embedded)
    list(REMOVE_ITEM sources ${embedded})
    add_library(postrider_${name}_texts STATIC ${embedded})
    target_link_libraries(postrider_${name}_texts PRIVATE postrider_options)
    list(APPEND ROOM_LINK $<LINK_ONLY:postrider_${name}_texts>)
  endif()
  add_library(postrider_${name} STATIC ${sources})
  target_link_libraries(postrider_${name} PUBLIC postrider_options ${ROOM_LINK})
  if(ROOM_COLD)
    target_compile_options(postrider_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    # Part of -O2 on x86-64 since g++ 13, which takes no precompiled header of another setting.
    if(POSTRIDER_O2_SETS_TARGET)
      target_compile_options(postrider_${name} PRIVATE "$<$<CONFIG:Release>:${target_part_of_o2}>")
    endif()
  endif()
  postrider_unity(postrider_${name} ${POSTRIDER_UNITY_FILES})
  if(NOT name STREQUAL "base")
    target_precompile_headers(postrider_${name} REUSE_FROM postrider_base)
  endif()
endfunction()
