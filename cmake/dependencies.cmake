# Third-party libraries, all from the distribution's packages (scripts/setup).
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(OpenSSL REQUIRED)
find_package(spdlog REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(date CONFIG REQUIRED) # time zones by name: g++ 12's <chrono> has none
find_package(prometheus-cpp CONFIG REQUIRED COMPONENTS core)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PQXX REQUIRED IMPORTED_TARGET libpqxx)
pkg_check_modules(PQ REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(MD4C REQUIRED IMPORTED_TARGET md4c)
pkg_check_modules(EDIT REQUIRED IMPORTED_TARGET libedit)
pkg_check_modules(XML2 REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(HIREDIS REQUIRED IMPORTED_TARGET hiredis)

# Asio and Beast are compiled once (base/boost_asio.cpp, net/boost_beast.cpp). The definitions are
# public: a translation unit that disagreed would break the one-definition rule.
add_library(postrider_boost INTERFACE)
target_link_libraries(postrider_boost INTERFACE Boost::json Boost::url Threads::Threads)
target_compile_definitions(postrider_boost INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
  # Coroutine frames come from operator new (base/allocation.cpp). glibc's aligned_alloc, which Asio
  # takes otherwise, looks for a fitting block each time: 6 % of the process' instructions.
  $<$<CONFIG:Release>:BOOST_ASIO_DISABLE_STD_ALIGNED_ALLOC>
  $<$<CONFIG:Release>:BOOST_ASIO_DISABLE_BOOST_ALIGN>)
