// What is said of the address of a model that is none.
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::model_address_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(model_address, that_is_none_is_told_with_its_place) {
    EXPECT_THAT(
        from_file("", {{"OPENAI_API_KEY", "k"}, {"OPENAI_BASE_URL", "ftp://x"}}).problems,
        ElementsAre("OPENAI_BASE_URL: openai.base_url: not an http(s) URL")
    );
    EXPECT_THAT(
        from_file("[models.m]\nprovider = 'openai'\napi_key = 'k'\nbase_url = 'ftp://x'\n")
            .problems,
        ElementsAre(HasSubstr(":4: models.m.base_url: not an http(s) URL"))
    );
}

} // namespace
} // namespace postrider::server::model_address_test
