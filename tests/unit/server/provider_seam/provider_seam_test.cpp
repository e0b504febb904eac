// What follows from a line in the table of providers: settings, the choice of a default, a node
// type, a model that is asked, and its probe.
#include "agent/flow/catalog.hpp"
#include "agent/models/factory.hpp"
#include "agent/models/provider.hpp"
#include "server/start/announcement.hpp"
#include "server/start/config.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::provider_seam_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Answers every call with the same body and keeps what it was asked.
class recording_client final : public net::http_client {
public:
    base::awaitable<base::result<net::http_answer>> send(net::http_call call) override {
        calls.push_back(std::move(call));
        net::http_answer answer;
        answer.status = 200;
        answer.body = R"({"said":"Hello yourself"})";
        co_return answer;
    }
    void close() override {}

    std::vector<net::http_call> calls;
};

config_sources with_key() {
    config_sources sources;
    sources.environment = {{"SCRATCH_API_KEY", "k"}};
    return sources;
}

TEST(provider_seam, its_key_makes_it_the_default) {
    auto const loaded = load_config(with_key());

    EXPECT_THAT(loaded.problems, IsEmpty());
    auto const& model = loaded.values.models.at("default");
    EXPECT_EQ(model.provider, "scratch");
    EXPECT_EQ(model.model, "parrot-1");
    EXPECT_EQ(model.base_url, "https://scratch.example");
    EXPECT_EQ(loaded.values.model_limits.at("default").breaker, "provider:scratch");
}

TEST(provider_seam, its_settings_and_its_name_are_in_the_table_of_settings) {
    std::vector<std::string_view> own;
    for (auto const& row : settings_table()) {
        if (row.key.starts_with("scratch.")) own.push_back(row.key);
        if (row.key == "models.*.provider") {
            EXPECT_EQ(row.constraint, "scratch|rules");
        }
    }

    EXPECT_THAT(own, ElementsAre("scratch.api_key", "scratch.model", "scratch.base_url"));
}

TEST(provider_seam, the_announcement_names_its_key) {
    announcement without_key;
    without_key.model = "rules/builtin";
    without_key.rules = true;

    EXPECT_THAT(
        to_text(without_key), HasSubstr("rules/builtin (built in; SCRATCH_API_KEY makes it real)\n")
    );
}

TEST(provider_seam, it_has_a_node_type) {
    auto const types = agent::flow::builtin_types();

    auto const* type = types.find("model.scratch");
    ASSERT_TRUE(type);
    EXPECT_EQ(type->title, "Scratch model");
    EXPECT_EQ(type->parameters.at("properties").at("credential").at("x-provider"), "scratch");
    EXPECT_EQ(type->parameters.at("properties").at("model").at("x-models"), "scratch");
    EXPECT_FALSE(types.find("model.openai")) << "it is not in this table";
}

TEST(provider_seam, it_is_asked_and_probed) {
    tests::loop io;
    recording_client client;
    auto const options = load_config(with_key()).values.models.at("default");
    auto const model = agent::make_model(options, client, base::system_clock()).value();
    agent::chat_request request;
    request.messages = {{.role = agent::role::user, .content = "Hello"}};

    auto const reply = io.run(model->chat(request)).value();
    auto const known = io.run(agent::probe_model(options, client, base::system_clock()));

    EXPECT_EQ(model->name(), "scratch/parrot-1");
    EXPECT_EQ(reply.text, "Hello yourself");
    EXPECT_TRUE(known);
    ASSERT_EQ(client.calls.size(), 2u);
    EXPECT_EQ(client.calls[0].origin + client.calls[0].target, "https://scratch.example/echo");
    EXPECT_EQ(client.calls[0].body, R"({"model":"parrot-1","say":"Hello"})");
    EXPECT_EQ(client.calls[0].headers.find("x-scratch-key"), "k");
    EXPECT_EQ(client.calls[1].target, "/known/parrot-1");
}

} // namespace
} // namespace postrider::server::provider_seam_test
