#include "base/time_text.hpp"
#include "server/api/inputs.hpp"
#include "server/api/page.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::inputs_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

net::http_request query(std::string text) {
    net::http_request request;
    request.query = std::move(text);
    return request;
}

net::http_request body(std::string text) {
    net::http_request request;
    request.body = std::move(text);
    return request;
}

TEST(inputs, an_id_has_one_spelling) {
    EXPECT_EQ(id_from("7"), 7);
    EXPECT_EQ(id_from("9007199254740991"), largest_number);
    for (auto const* text : {"", "0", "-1", "+1", "07", "7 ", "1e3", "9007199254740992"})
        EXPECT_EQ(id_from(text), std::nullopt) << text;
}

TEST(inputs, a_query_is_decoded) {
    auto const request = query("lane=1%3A5%3A0&limit=3&after=2026-11-21T09:00:00Z&x=a+b&");
    parameters query(request);

    EXPECT_EQ(query.text("lane"), "1:5:0");
    EXPECT_EQ(query.integer("limit", 1, 200), 3);
    EXPECT_EQ(base::to_iso8601(query.time("after").value()), "2026-11-21T09:00:00Z");
    EXPECT_EQ(query.text("x"), "a b");
    EXPECT_EQ(query.text("absent"), std::nullopt);
    EXPECT_THAT(query.mistakes(), IsEmpty());
}

TEST(inputs, a_query_tells_all_its_mistakes) {
    auto const request = query("limit=300&lan=x&kind=a&kind=b&after=soon&cursor=1.5");
    parameters query(request);
    read_filter(query);
    read_id_cursor<job_id>(query);
    read_limit(query);

    EXPECT_THAT(
        query.mistakes(),
        ElementsAre(
            "kind is given twice",
            "after: \"soon\" is not a time; write " + std::string(base::time_examples),
            "cursor is not one that an answer gave as next",
            "limit is not between 1 and 200",
            "there is no parameter lan; did you mean lane?"
        )
    );
}

TEST(inputs, a_time_is_no_empty_text) {
    for (auto const* text : {"after=", "after=%20", "before="}) {
        auto const request = query(text);
        parameters query(request);
        read_filter(query);
        EXPECT_THAT(query.mistakes(), ElementsAre(testing::HasSubstr("is not a time; write")));
    }
}

TEST(inputs, a_query_that_cannot_be_decoded_is_one_mistake) {
    auto const request = query("kind=a&kind=b&lane=%zz&lane=1&limit=x");
    parameters query(request);
    query.text("kind");

    EXPECT_THAT(
        query.mistakes(),
        ElementsAre("kind is given twice", "the query's percent encoding is malformed")
    );
}

TEST(inputs, states_are_listed_with_commas_or_in_an_array) {
    auto const asked = query("state=failed,paused");
    auto const sent = body(R"({"state": ["failed", "paused"]})");
    parameters from_query(asked);
    members from_body(sent);

    auto const first = read_filter(from_query).states;
    auto const second = read_filter(from_body).states;

    EXPECT_THAT(first, ElementsAre(queue::job_state::failed, queue::job_state::paused));
    EXPECT_EQ(first, second);
    EXPECT_THAT(from_body.mistakes(), IsEmpty());
}

TEST(inputs, a_body_is_read_by_type) {
    auto const request =
        body(R"({"a": "x", "b": 7, "c": true, "d": null, "e": {"f": null}, "g": null, "h": "y"})");
    members body(request);

    EXPECT_EQ(body.text("a"), "x");
    EXPECT_EQ(body.integer("b", 0, 10), 7);
    EXPECT_TRUE(body.flag("c"));
    EXPECT_EQ(body.text("d"), std::nullopt);
    EXPECT_TRUE(body.json("e")->is_object());
    EXPECT_TRUE(body.json("g")->is_null()) << "null is a value where any JSON is one";
    EXPECT_EQ(body.json("absent"), std::nullopt);
    EXPECT_THAT(body.texts("h"), ElementsAre("y"));
    EXPECT_THAT(body.mistakes(), IsEmpty());
}

// The database would store another character in its place.
TEST(inputs, values_that_the_database_cannot_store_are_mistakes) {
    for (auto const* value :
         {R"("a\u0000b")", R"(["x", "\u0000"])", R"({"in": [{"\u0000k": 1}]})"}) {
        auto const request = body(fmt::format(R"({{"data": {}}})", value));
        members body(request);
        EXPECT_EQ(body.json("data"), std::nullopt) << value;
        EXPECT_THAT(body.mistakes(), ElementsAre("the character U+0000 in data cannot be stored"))
            << value;
    }
}

TEST(inputs, a_body_tells_all_its_mistakes) {
    auto const request = body(
        R"({"a": 1, "b": "x", "c": "true", "d": 11, "e": [1], "f": 18446744073709551615, "tpye": 0})"
    );
    members body(request);
    body.text("a");
    body.integer("b", 0, 10);
    body.flag("c");
    body.integer("d", 0, 10);
    body.texts("e");
    body.integer("f", 0, 10);
    body.required_text("type");
    body.required_integer("number", 1, 2);

    EXPECT_THAT(
        body.mistakes(),
        ElementsAre(
            "a is not a string",
            "b is not an integer",
            "c is not a boolean",
            "d is not between 0 and 10",
            "e is not an array of strings",
            "f is not between 0 and 10",
            "type is missing",
            "number is missing",
            "there is no member tpye; did you mean type?"
        )
    );
}

TEST(inputs, a_member_that_is_there_twice_is_a_mistake) {
    for (auto const* text :
         {R"({"text": "a", "text": "b"})", R"({"data": {"n": 1, "text": 1, "text": 2}})"}) {
        auto const request = body(text);
        members body(request);
        body.text("text");
        body.json("data");

        EXPECT_THAT(body.mistakes(), ElementsAre("text is given twice")) << text;
    }
    auto const apart = body(R"({"data": [{"text": 1}, {"text": 2}], "text": "a"})");
    members body(apart);
    body.text("text");
    body.json("data");
    EXPECT_THAT(body.mistakes(), IsEmpty());
}

TEST(inputs, a_required_text_says_something) {
    auto const request = body("{\"text\": \" \\n\\t\"}");
    members body(request);
    body.required_text("text");

    EXPECT_THAT(body.mistakes(), ElementsAre("text is empty"));
}

TEST(inputs, of_a_body_that_cannot_be_read_nothing_is_missing) {
    for (auto const* text : {"{\"text\": ", "[1]"}) {
        auto const request = body(text);
        members body(request);
        body.required_text("text");

        EXPECT_THAT(body.mistakes(), testing::SizeIs(1)) << text;
    }
}

TEST(inputs, an_empty_body_is_an_empty_object) {
    auto const request = body("");
    members body(request);

    EXPECT_FALSE(body.flag("dry_run"));
    EXPECT_THAT(body.mistakes(), IsEmpty());
}

} // namespace
} // namespace postrider::api::inputs_test
