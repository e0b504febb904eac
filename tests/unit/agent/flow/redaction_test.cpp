#include "agent/flow/watch/redaction.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::agent::flow::redaction_test {

namespace {

namespace json = boost::json;
using testing::HasSubstr;

std::string shown(std::string_view value, std::size_t bytes = shown_bytes) {
    return json::serialize(redacted(json::parse(value), bytes));
}

TEST(redaction, knows_secrets_by_their_names) {
    for (auto name :
         {"password",
          "token",
          "Authorization",
          "api_key",
          "apiKey",
          "APIKey",
          "X-Auth-Token",
          "clientSecret",
          "db.passwd",
          "Set-Cookie",
          "private_key"})
        EXPECT_TRUE(looks_secret(name)) << name;
    for (auto name :
         {"max_tokens",
          "tokens_in",
          "key",
          "primary_key",
          "keyboard",
          "author",
          "secretary",
          "",
          "—"})
        EXPECT_FALSE(looks_secret(name)) << name;
}

TEST(redaction, masks_members_wherever_they_stand) {
    EXPECT_EQ(
        shown(R"({"a":[{"token":"x","n":1}],"password":{"deep":"x"},"secret":null,"pwd":false})"),
        R"({"a":[{"token":"•••","n":1}],"password":"•••","secret":null,"pwd":false})"
    );
}

TEST(redaction, masks_values_that_are_named_beside_them) {
    EXPECT_EQ(
        shown(R"([{"name":"Authorization","value":"Bearer x"},{"name":"Accept","value":"y"}])"),
        R"([{"name":"Authorization","value":"•••"},{"name":"Accept","value":"y"}])"
    );
}

TEST(redaction, leaves_what_fits_as_it_is) {
    auto const value = json::parse(R"({"a":[1,2.5,"x",null,{"b":[]}],"c":""})");
    EXPECT_EQ(redacted(value), value);
}

TEST(redaction, says_how_much_of_a_text_is_left_out) {
    EXPECT_EQ(shown(R"("äöü and more")", 5), R"("äö… 11 bytes more")");
}

TEST(redaction, bounds_what_is_shown_however_it_is_made_up) {
    json::array many(100'000, json::value(1));
    json::object wide;
    for (int i = 0; i < 10'000; ++i) wide["member" + std::to_string(i)] = std::string(100, 'x');
    json::array deep{std::string(1u << 20, 'x'), many, wide};

    auto const text = json::serialize(redacted(deep, 1000));

    EXPECT_LT(text.size(), 2000u);
    EXPECT_THAT(text, HasSubstr("bytes more"));
    EXPECT_THAT(json::serialize(redacted(many, 90)), HasSubstr("\"… 99990 more\"]"));
    EXPECT_THAT(json::serialize(redacted(wide, 200)), HasSubstr("\"…\":\"9998 more\"}"));
}

TEST(redaction, masks_parameters_that_their_schema_calls_secret) {
    auto const parameters = json::parse(R"({"credential":"mine","url":"https://a"})");
    auto const schema = json::parse(
        R"({"properties":{"credential":{"x-secret":true},"url":{"type":"string"},"other":{"x-secret":true}}})"
    );

    EXPECT_EQ(
        json::serialize(redacted_parameters(parameters.as_object(), schema.as_object())),
        R"({"credential":"•••","url":"https://a"})"
    );
}

} // namespace

} // namespace postrider::agent::flow::redaction_test
