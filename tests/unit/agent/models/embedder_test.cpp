// Texts as vectors: what servers are sent, and what of their answers is taken.
#include "agent/models/embedding/embedder.hpp"
#include "agent/recall/vectors.hpp"
#include "tests/support/loop.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::embedder_test {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class answering_client final : public net::http_client {
public:
    base::awaitable<base::result<net::http_answer>> send(net::http_call call) override {
        calls.push_back(std::move(call));
        if (failure) co_return *failure;
        co_return net::http_answer{status, {}, body};
    }
    void close() override {}

    std::vector<net::http_call> calls;
    std::optional<base::error> failure;
    int status = 200;
    std::string body;
};

struct embedding_world {
    loop io;
    base::manual_clock clock;
    answering_client client;

    base::result<agent::embedded_texts> embed(
        agent::embedding_options options, std::vector<std::string> texts
    ) {
        auto const server = agent::make_embedder(std::move(options), client, clock);
        if (!server) return server.error();
        return io.run((*server)->embed(std::move(texts), 5s));
    }
    json::value sent() const { return json::parse(client.calls.back().body); }
};

agent::embedding_options small_openai() {
    agent::embedding_options options;
    options.model = "text-embedding-3-small";
    options.dimension = 2;
    options.api_key = base::secret("sk-test");
    return options;
}

TEST(embedder, asks_openai_and_keeps_the_order_of_the_texts) {
    embedding_world w;
    w.client.body =
        R"({"object": "list", "model": "m", "usage": {"prompt_tokens": 8, "total_tokens": 8}, "data": [
        {"object": "embedding", "index": 1, "embedding": [0.5, -1]},
        {"object": "embedding", "index": 0, "embedding": [1, 2.5e-1]}]})";

    auto const embedded = w.embed(small_openai(), {"one", "two"});

    ASSERT_TRUE(embedded) << embedded.error().detail;
    EXPECT_THAT(embedded->vectors, ElementsAre(ElementsAre(1.0f, 0.25f), ElementsAre(0.5f, -1.0f)));
    EXPECT_EQ(embedded->tokens, 8);
    auto const& call = w.client.calls.back();
    EXPECT_EQ(call.origin + call.target, "https://api.openai.com/v1/embeddings");
    EXPECT_EQ(call.headers.find("Authorization"), "Bearer sk-test");
    EXPECT_EQ(call.total_timeout, 5s);
    EXPECT_EQ(w.sent().at("input").at(1), "two");
    EXPECT_EQ(w.sent().at("dimensions"), 2);
    EXPECT_EQ(w.sent().at("encoding_format"), "float");
}

TEST(embedder, sends_a_dimension_only_to_models_that_take_one) {
    embedding_world w;
    auto options = small_openai();
    options.model = "bge-m3";
    options.base_url = "http://127.0.0.1:8080/v1";
    options.api_key = {};
    w.client.body = R"({"data": [{"embedding": [1, 0]}]})";

    ASSERT_TRUE(w.embed(options, {"one"}));

    EXPECT_FALSE(w.sent().as_object().contains("dimensions"));
    EXPECT_EQ(w.client.calls.back().origin, "http://127.0.0.1:8080");
    EXPECT_EQ(w.client.calls.back().headers.find("Authorization"), "");
}

TEST(embedder, asks_ollama) {
    embedding_world w;
    agent::embedding_options options;
    options.provider = "ollama";
    options.dimension = 3;
    options.model = "all-minilm";
    w.client.body = R"({"model": "all-minilm", "embeddings": [[1, 2, 3]], "prompt_eval_count": 4})";

    auto const embedded = w.embed(options, {"one"});

    ASSERT_TRUE(embedded) << embedded.error().detail;
    EXPECT_EQ(embedded->tokens, 4);
    EXPECT_EQ(w.client.calls.back().target, "/api/embed");
}

TEST(embedder, mixes_no_dimensions_and_takes_no_vector_without_a_direction) {
    for (auto const* body :
         {R"({"data": [{"embedding": [1, 2, 3]}]})",
          R"({"data": [{"embedding": [0, 0]}]})",
          R"({"data": [{"embedding": [1, 2]}, {"embedding": [1, 2]}]})",
          R"({"data": [{"index": 5, "embedding": [1, 2]}]})",
          R"({"data": [{}]})",
          R"({"data": []})",
          "no JSON"}) {
        embedding_world w;
        w.client.body = body;
        EXPECT_FALSE(w.embed(small_openai(), {"one"})) << body;
    }
}

TEST(embedder, tells_what_a_server_refuses) {
    embedding_world w;
    w.client.status = 429;
    w.client.body =
        R"({"error": {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"}})";
    EXPECT_EQ(w.embed(small_openai(), {"one"}).error(), base::errc::budget);
    w.client.failure = base::error(base::errc::ambiguous);
    EXPECT_EQ(w.embed(small_openai(), {"one"}).error(), base::errc::unavailable);
}

TEST(embedder, needs_a_dimension_and_a_provider) {
    embedding_world w;
    agent::embedding_options unknown;
    unknown.provider = "vectors-r-us";
    EXPECT_EQ(w.embed(unknown, {"one"}).error(), base::errc::invalid);
    agent::embedding_options other;
    other.model = "bge-m3";
    EXPECT_THAT(w.embed(other, {"one"}).error().detail, HasSubstr("dimension"));
}

TEST(vector_text, is_the_same_in_every_locale) {
    std::vector<float> const numbers{0.5f, -1.0f, 1e-9f};
    EXPECT_EQ(agent::recall::vector_text(numbers), "[0.5,-1,1e-09]");
    EXPECT_EQ(agent::recall::vector_text({}), "[]");
}

} // namespace
} // namespace postrider::tests::embedder_test
