#include "server/views/settings_json.hpp"

#include <gtest/gtest.h>

namespace postrider::server::settings_json_test {
namespace {

TEST(settings_json, tells_kinds_of_sources_apart) {
    EXPECT_EQ(kind_of_source("default"), "default");
    EXPECT_EQ(kind_of_source("--listen"), "flag");
    EXPECT_EQ(kind_of_source("postrider.toml:3"), "file");
    EXPECT_EQ(kind_of_source("postrider.env:1"), "file");
    EXPECT_EQ(kind_of_source("POSTRIDER_LISTEN"), "environment");
}

} // namespace
} // namespace postrider::server::settings_json_test
