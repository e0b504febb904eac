// The image's last stage installs the packages whose libraries the program loads. Asked is the
// program of this build, whichever that is: what only another build than the release loads (its
// sanitizers' own libraries, and those whose calls the optimiser removes) is left out of the
// comparison by name. scripts/check-image starts the release itself.
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace postrider::tests::image_test {
namespace {

using testing::Contains;

using names = std::set<std::string>;

std::string output_of(std::string const& command) {
    auto* pipe = popen(command.c_str(), "r");
    if (!pipe) throw std::runtime_error("cannot run " + command);
    std::string text;
    std::array<char, 4096> bytes;
    while (auto const size = fread(bytes.data(), 1, bytes.size(), pipe))
        text.append(bytes.data(), size);
    EXPECT_EQ(pclose(pipe), 0) << command;
    return text;
}

std::string runtime_stage() {
    std::ifstream file("Dockerfile");
    EXPECT_TRUE(file) << "run this test in the root of the source tree";
    std::ostringstream text;
    text << file.rdbuf();
    auto const dockerfile = text.str();
    return dockerfile.substr(dockerfile.rfind("\nFROM ") + 1);
}

names installed_packages(std::string const& stage) {
    auto const begin = stage.find("apt-get install");
    std::istringstream words(stage.substr(begin, stage.find("&&", begin) - begin));
    names packages;
    std::string word;
    words >> word >> word; // apt-get install
    while (words >> word)
        if (word != "\\" && !word.starts_with('-')) packages.insert(word);
    return packages;
}

// The run-time libraries of -fsanitize: never part of a release.
bool is_of_a_sanitizer(std::string const& library) {
    constexpr std::array sanitizers{"libasan.", "libhwasan.", "liblsan.", "libtsan.", "libubsan."};
    return std::ranges::any_of(sanitizers, [&](auto const* name) {
        return library.starts_with(name);
    });
}

// Optimised for release, nothing of it is called, and the linker leaves it out.
bool is_of_plain_code_only(std::string const& library) {
    return library.starts_with("libboost_container.");
}

// Libraries of the program itself; what those load comes with their packages.
names loaded_libraries() {
    std::istringstream lines(output_of("objdump --private-headers '" + built("postrider") + "'"));
    names libraries;
    std::string word;
    while (lines >> word) {
        if (word != "NEEDED") continue;
        lines >> word;
        if (!is_of_a_sanitizer(word) && !is_of_plain_code_only(word)) libraries.insert(word);
    }
    return libraries;
}

names packages_of(names const& libraries) {
    std::string command = "dpkg-query --search";
    for (auto const& library : libraries) command += " '*-linux-gnu/" + library + "'";
    std::istringstream lines(output_of(command));
    names packages;
    for (std::string line; std::getline(lines, line);)
        packages.insert(line.substr(0, line.find(':')));
    return packages;
}

// "debian:12-slim" for the machine that this test runs on.
bool has_release_of_this_machine(std::string const& stage) {
    auto const version = output_of(". /etc/os-release && printf '%s:%s' \"$ID\" \"$VERSION_ID\"");
    return stage.starts_with("FROM " + version + "-");
}

TEST(image, installs_the_libraries_that_the_program_loads_and_no_others) {
    auto const stage = runtime_stage();
    if (!has_release_of_this_machine(stage))
        GTEST_SKIP() << "the image's release names its packages otherwise";
    names const in_every_image{"libc6", "libgcc-s1", "libstdc++6"};
    names const no_library{"ca-certificates", "poppler-utils", "tzdata"};

    auto needed = packages_of(loaded_libraries());
    for (auto const& package : in_every_image) needed.erase(package);
    auto installed = installed_packages(stage);
    for (auto const& package : no_library) installed.erase(package);

    EXPECT_EQ(installed, needed);
}

TEST(image, is_compared_without_the_libraries_of_sanitizers) {
    EXPECT_TRUE(is_of_a_sanitizer("libasan.so.8"));
    EXPECT_TRUE(is_of_a_sanitizer("liblsan.so.0"));
    EXPECT_FALSE(is_of_a_sanitizer("libssl.so.3"));
    EXPECT_FALSE(is_of_a_sanitizer("libubsandbox.so.1"));
}

TEST(image, installs_the_certificates_the_time_zones_and_the_reader_of_pdf) {
    auto const packages = installed_packages(runtime_stage());

    EXPECT_THAT(packages, Contains("ca-certificates"));
    EXPECT_THAT(packages, Contains("poppler-utils"));
    EXPECT_THAT(packages, Contains("tzdata"));
}

} // namespace
} // namespace postrider::tests::image_test
