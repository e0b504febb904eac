#include "agent/flow/parameters.hpp"
#include "base/json/json.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::parameters_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

base::result<json::object> fitted(std::string_view type, std::string_view evaluated) {
    static auto const types = builtin_types();
    return fit_parameters(
        base::parse_json(evaluated).value().get_object(), *types.find(type), types
    );
}

std::string text(base::result<json::object> const& fitted) {
    return fitted ? json::serialize(*fitted) : fitted.error().detail;
}

TEST(parameters, get_their_defaults) {
    EXPECT_EQ(
        text(fitted("http.respond", R"({"body":1})")), R"({"body":1,"status":200,"headers":{}})"
    );
    auto const agent = fitted("agent", R"({"prompt":"Hi"})");
    ASSERT_TRUE(agent);
    EXPECT_EQ(agent->at("max_iterations"), 10);
}

TEST(parameters, that_came_out_as_null_are_not_written) {
    EXPECT_EQ(
        text(fitted("telegram.send", R"({"text":"Hi","reply":null})")),
        R"({"text":"Hi","file_as":"auto","link_preview":false})"
    );
    EXPECT_EQ(
        text(fitted("set", R"({"fields":{"x":null},"keep_others":null})")),
        R"({"fields":{"x":null},"keep_others":true})"
    );
    EXPECT_THAT(text(fitted("telegram.send", R"({"text":null})")), HasSubstr("text"));
}

TEST(parameters, are_texts_where_a_text_is_wanted) {
    EXPECT_EQ(
        text(fitted("telegram.send", R"({"text":42})")),
        R"({"text":"42","link_preview":false,"file_as":"auto"})"
    );
    EXPECT_EQ(
        text(fitted("telegram.send", R"({"text":true})")),
        R"({"text":"true","link_preview":false,"file_as":"auto"})"
    );
    EXPECT_FALSE(fitted("telegram.send", R"({"text":["a"]})"));
    EXPECT_FALSE(fitted("telegram.send", R"({"text":"a","chat":"12"})")) << "a text is no number";
}

// covers: S3.18
TEST(parameters, that_do_not_fit_are_named) {
    EXPECT_THAT(text(fitted("telegram.send", R"({"text":"a","chat":"12"})")), HasSubstr("/chat"));
    EXPECT_THAT(text(fitted("wait", R"({"duration":"soon"})")), HasSubstr("/duration"));
    EXPECT_THAT(text(fitted("wait", R"({"until":"tomorrow"})")), HasSubstr("/until"));
    EXPECT_FALSE(fitted("wait", "{}"));
    EXPECT_FALSE(fitted("if", R"({"condition":"true"})"));
}

TEST(parameters, have_html_where_the_media_type_has_tags) {
    static auto const types = builtin_types();
    auto const texts = [](std::string_view media_type) {
        json::object const headers{{"Content-Type", media_type}};
        return html_texts({{"headers", headers}}, *types.find("http.respond"));
    };
    for (auto const* type :
         {"text/html; charset=utf-8", " Text/HTML", "application/xhtml+xml", "image/svg+xml"})
        EXPECT_EQ(texts(type), std::vector<std::string>{"/body"}) << type;
    for (auto const* type :
         {"text/plain", "application/json", "text/markdown", "application/rss+xml"})
        EXPECT_EQ(texts(type), std::vector<std::string>{}) << type;
}

// The same body, whether the type is written or comes out of an expression.
TEST(parameters, insert_plain_text_where_the_media_type_comes_to_html) {
    static auto const types = builtin_types();
    auto const body = [](json::value const& headers, std::string_view type) {
        json::object const parameters{{"body", "<p>{{ $json.name }}</p>"}, {"headers", headers}};
        auto const rule = markup_of(*types.find("http.respond"));
        auto const compiled =
            parameter_template::compile(parameters, from_ai::refused, {}, rule).value();
        json_scope const scope{json::serialize(json::object{
            {"$json", {{"name", "<script>"}, {"type", type}, {"all", {{"content-type", type}}}}}})};
        return std::string(compiled.evaluate(scope).value().at("body").as_string());
    };
    for (json::value const& headers :
         {json::value(json::object{{"Content-Type", "{{ $json.type }}"}}),
          json::value(json::object{{"content-type", "{{ $json.type }}; charset=utf-8"}}),
          json::value("{{ $json.all }}")}) {
        for (auto const* type : {"text/html", "application/XHTML+xml", "image/svg+xml"})
            EXPECT_EQ(body(headers, type), "<p>&lt;script&gt;</p>") << type;
        EXPECT_EQ(body(headers, "text/plain"), "<p><script></p>");
    }
    EXPECT_EQ(body(json::object{{"Content-Type", "text/html"}}, ""), "<p>&lt;script&gt;</p>");
    EXPECT_EQ(body(json::object(), ""), "<p><script></p>");
    EXPECT_EQ(
        body(json::object{{"X-Note", "html {{ $json.type }}"}}, "text/html"), "<p><script></p>"
    );
}

struct candidate {
    std::string_view format;
    std::string_view text;
    bool fits;
};

TEST(format_violation, knows_each_format) {
    for (auto [format, text, fits] : {
             candidate{"duration", "1h 30min", true},
             candidate{"duration", "90", false},
             candidate{"instant", "2026-11-21T08:53:00Z", true},
             candidate{"instant", "2026-11-21", false},
             candidate{"cron", "0 9 * * mon-fri", true},
             candidate{"cron", "0 9 30 2 *", false},
             candidate{"timezone", "Europe/Berlin", true},
             candidate{"timezone", "Europe/Berlim", false},
             candidate{"path", "orders/new", true},
             candidate{"path", "a", true},
             candidate{"path", "", false},
             candidate{"path", "/orders", false},
             candidate{"path", "orders/", false},
             candidate{"path", "a//b", false},
             candidate{"path", "../etc", false},
             candidate{"path", "a b", false},
             candidate{"path", "a?b", false},
             candidate{"colour", "whatever", true},
             candidate{"", "whatever", true},
         })
        EXPECT_EQ(format_violation(format, json::value(text)).empty(), fits)
            << format << " " << text;
    EXPECT_EQ(format_violation("duration", "100000d"), "is longer than a hundred years");
    EXPECT_EQ(format_violation("duration", 7), "") << "of the wrong type, which the schema says";
    EXPECT_EQ(format_violation("json_schema", json::object{{"type", "string"}}), "");
    EXPECT_THAT(
        format_violation("json_schema", json::object{{"type", "text"}}), HasSubstr("/type")
    );
}

} // namespace
} // namespace postrider::agent::flow::parameters_test
