#include "agent/loop/find_json.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::find_json_test {
namespace {

bool any(boost::json::value const&) {
    return true;
}

bool with_age(boost::json::value const& value) {
    return value.is_object() && value.get_object().contains("age");
}

std::string found(std::string_view text, bool (*preferred)(boost::json::value const&) = any) {
    auto const value = find_json(text, preferred);
    return value ? boost::json::serialize(*value) : "nothing";
}

TEST(find_json, finds_it_wherever_it_stands) {
    EXPECT_EQ(found(" 7 "), "7");
    EXPECT_EQ(found("\"seven\""), "\"seven\"");
    EXPECT_EQ(found("```json\n{\"age\": 7}\n```"), R"({"age":7})");
    EXPECT_EQ(found("Here it is:\n```\n[1, 2]\n```\nGood luck!"), "[1,2]");
    EXPECT_EQ(found("The answer is {\"age\": 7}."), R"({"age":7})");
    EXPECT_EQ(
        found("{\"note\": \"a } and a \\\" in it\"} is it"), R"({"note":"a } and a \" in it"})"
    );
}

TEST(find_json, prefers_what_fits) {
    EXPECT_EQ(found("From {\"name\": \"Ann\"} follows {\"age\": 7}.", with_age), R"({"age":7})");
    EXPECT_EQ(found("[1] or {\"name\": \"Ann\"}", with_age), R"({"name":"Ann"})") << "the longest";
}

TEST(find_json, finds_none_in_words) {
    for (auto text : {"", "seven", "{this} is no JSON", "{\"age\": ", "[[[[", "}{"})
        EXPECT_EQ(found(text), "nothing") << text;
}

TEST(find_json, gives_up_on_a_text_of_brackets) {
    EXPECT_EQ(found(std::string(1'000'000, '[')), "nothing");
}

} // namespace
} // namespace postrider::agent::find_json_test
