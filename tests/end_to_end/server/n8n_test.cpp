// A template of n8n as a person takes it over: imported, its credential filled in, published, run.
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace postrider::tests::n8n_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

// covers: X.25
TEST(n8n, a_chat_of_a_public_template_answers_with_the_model_that_it_names) {
    scene s;
    environment const openai{
        {"OPENAI_API_KEY", "test-key"}, {"OPENAI_BASE_URL", s.models.address() + "/v1"}};
    std::ofstream(s.product().folder() / "postrider.toml")
        << "[models.openrouter]\nprovider = \"openai\"\nstream = \"never\"\n";
    s.models.always(fake_reply::saying("Forty-two."));
    s.product().start(openai);
    auto const run = [&](std::vector<std::string> const& words) {
        return s.product().run(words, openai);
    };

    auto const imported = run(
        {"flows",
         "import-n8n",
         source("tests/data/n8n/use-openrouter-in-n8n-versions-1-78-70ccf1.json"),
         "--name",
         "router"}
    );
    auto const published = run({"flows", "publish", "router"});
    auto const ended = run(
        {"flows",
         "run",
         "router",
         "--trigger",
         "When chat message received",
         "--input",
         R"({"text": "What is 6*7?", "conversation": "7"})",
         "--wait",
         "--json"}
    );

    EXPECT_EQ(imported.code, 0) << imported.out;
    ASSERT_EQ(published.code, 0) << published.out;
    ASSERT_EQ(ended.code, 0) << ended.out << s.product().log();
    EXPECT_EQ(json::parse(ended.out).at("state"), "completed") << ended.out;
    auto const requests = s.models.requests();
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_EQ(requests[0].body.at("model"), "deepseek/deepseek-r1-distill-llama-8b");
    EXPECT_THAT(json::serialize(requests[0].body), HasSubstr("What is 6*7?"));
}

} // namespace
} // namespace postrider::tests::n8n_test
