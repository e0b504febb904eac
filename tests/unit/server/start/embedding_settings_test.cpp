#include "server/start/config.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::embedding_settings_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(embedding_settings, are_absent_unless_the_file_has_them) {
    EXPECT_FALSE(from_file("").values.embeddings);
}

TEST(embedding_settings, name_a_server_a_model_and_a_dimension) {
    auto const loaded = from_file(R"(
[embeddings.default]
provider = "openai"
model = "bge-m3"
dimension = 1024
base_url = "http://127.0.0.1:8080/v1"
price = 2
)");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& embeddings = loaded.values.embeddings.value();
    EXPECT_EQ(embeddings.model, "bge-m3");
    EXPECT_EQ(embeddings.dimension, 1024);
    EXPECT_EQ(embeddings.base_url, "http://127.0.0.1:8080/v1");
    EXPECT_DOUBLE_EQ(embeddings.price, 0.02);
}

TEST(embedding_settings, know_the_usual_model_of_each_provider) {
    auto const ollama =
        from_file("[embeddings.default]\nprovider = \"ollama\"").values.embeddings.value();
    EXPECT_EQ(ollama.model, "nomic-embed-text");
    EXPECT_EQ(ollama.dimension, 768);
    auto const openai =
        from_file("[openai]\napi_key = 'sk-x'\n[embeddings.default]\nprovider = 'openai'");
    ASSERT_THAT(openai.problems, IsEmpty());
    EXPECT_EQ(openai.values.embeddings->dimension, 1536);
    EXPECT_EQ(openai.values.embeddings->api_key.reveal(), "sk-x");
}

TEST(embedding_settings, tell_mistakes) {
    EXPECT_THAT(
        from_file("[embeddings.default]\nprovider = 'openai'").problems,
        Contains(HasSubstr("api_key"))
    );
    EXPECT_THAT(
        from_file("[embeddings.default]\nprovider = 'ollama'\nmodel = 'x'").problems,
        Contains(HasSubstr("dimension"))
    );
    EXPECT_THAT(
        from_file("[embeddings.other]\nprovider = 'ollama'").problems,
        Contains(HasSubstr("only embeddings.default"))
    );
}

} // namespace
} // namespace postrider::server::embedding_settings_test
