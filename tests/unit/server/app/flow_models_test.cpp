// Which model a node gets: of the configuration's entries, or a built-in one.
#include "server/app/flow_services.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::server::flow_models_test {
namespace {

struct flow_models_of_openai : testing::Test {
    static config with_key() {
        config_sources sources;
        sources.environment = {{"OPENAI_API_KEY", "k"}};
        return load_config(sources).values;
    }

    tests::loop io;
    config settings = with_key();
    std::unique_ptr<net::http_client> http = net::make_http_client(io.executor());
    flow_models models{settings, *http, base::system_clock()};
};

TEST_F(flow_models_of_openai, a_built_in_provider_needs_no_entry) {
    auto const found = models.find({.provider = "rules"});

    ASSERT_TRUE(found) << found.error().detail;
    EXPECT_EQ(found->model->name(), "rules/builtin");
    EXPECT_EQ(found->breaker, "") << "its answers say nothing of a provider";
    EXPECT_EQ(found->prices.input, 0);
}

TEST_F(flow_models_of_openai, another_providers_entry_is_refused) {
    auto const found = models.find({.provider = "anthropic"});

    ASSERT_FALSE(found);
    EXPECT_EQ(found.error(), base::errc::invalid);
    EXPECT_EQ(found.error().detail, "the model default is of openai, not of anthropic");
}

TEST_F(flow_models_of_openai, a_node_may_name_another_model_of_the_entry) {
    auto const found = models.find({.provider = "openai", .model = "gpt-9"});
    auto const again = models.find({.provider = "openai", .model = "gpt-9"});

    ASSERT_TRUE(found);
    EXPECT_EQ(found->model->name(), "openai/gpt-9");
    EXPECT_EQ(again->model, found->model);
}

} // namespace
} // namespace postrider::server::flow_models_test
