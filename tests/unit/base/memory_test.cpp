#include "base/memory.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace postrider::base::memory_test {
namespace {

// KiB of files' pages in this process.
long resident_file_pages() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "RssFile:") {
            long size = 0;
            status >> size;
            return size;
        }
    return 0;
}

TEST(start_memory, takes_pages_of_files_out_of_the_process) {
    auto const before = resident_file_pages();

    give_back_start_memory();

    auto const after = resident_file_pages();
    EXPECT_GT(before, 0);
    EXPECT_LT(after, before);
}

} // namespace
} // namespace postrider::base::memory_test
