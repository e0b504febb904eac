// Forms as pages, and what is read of what people send.
#include "base/json/json.hpp"
#include "server/hooks/form_page.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::hooks::form_page_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

json::object const form = json::parse(R"({
    "path": "p", "title": "Ask <us>", "fields": [
        {"name": "email", "label": "Your \"mail\"", "kind": "email", "required": true},
        {"name": "topic", "kind": "choice", "choices": ["A & B", "C"]},
        {"name": "n", "kind": "number"},
        {"name": "day", "kind": "date"},
        {"name": "agreed", "kind": "check", "required": true},
        {"name": "more", "kind": "lines"}]})")
                              .as_object();

json::object sent(std::string_view text) {
    return json::parse(text).as_object();
}

TEST(form_page, reads_each_kind_of_field) {
    auto const read = check_form(
        form,
        sent(
            R"({"email":" a@b.example ","topic":"A & B","n":"-2.5","day":"2028-02-29","agreed":"on",
                 "more":"x\r\ny","other":"z"})"
        )
    );
    EXPECT_TRUE(read.mistakes.empty());
    EXPECT_EQ(
        json::serialize(read.item),
        R"({"email":"a@b.example","topic":"A & B","n":-2.5E0,"day":"2028-02-29","agreed":true,"more":"x\r\ny"})"
    );
    auto const least = check_form(form, sent(R"({"email":"a@b","agreed":"on","n":"7"})"));
    EXPECT_EQ(
        json::serialize(least.item),
        R"({"email":"a@b","topic":null,"n":7,"day":null,"agreed":true,"more":null})"
    );
}

struct wrong_answer {
    std::string_view field;
    std::string value;
    std::string_view mistake;
};

TEST(form_page, says_what_is_wrong_with_an_answer) {
    wrong_answer const cases[]{
        {"email", "", "fill this in"},
        {"email", "nobody", "no e-mail"},
        {"email", "a@b, c@d", "no e-mail"},
        {"topic", "D", "entry of the list"},
        {"n", "1e999", "no number"},
        {"n", "7 apples", "no number"},
        {"day", "2027-02-29", "no date"},
        {"day", "tomorrow", "no date"},
        {"agreed", "", "check this"},
        {"more", std::string(10'001, 'x'), "At most 10000 characters"}};
    for (auto const& entry : cases) {
        auto answers = sent(R"({"email":"a@b.example","agreed":"on"})");
        answers[entry.field] = entry.value;
        auto const read = check_form(form, answers);
        ASSERT_EQ(read.mistakes.size(), 1u) << entry.field << ' ' << entry.value;
        EXPECT_EQ(read.mistakes.begin()->first, entry.field);
        EXPECT_THAT(read.mistakes.begin()->second, HasSubstr(std::string(entry.mistake)));
    }
}

// covers: X.23
TEST(form_page, shows_texts_as_texts_and_runs_no_script) {
    auto const answer = form_page(
        422,
        form,
        sent(R"({"email":"\"><script>alert(1)</script>","topic":"C"})"),
        {{"email", "This is <b>wrong</b>."}},
        "key"
    );

    EXPECT_EQ(answer.status, 422);
    EXPECT_THAT(answer.body, HasSubstr("Ask &lt;us&gt;"));
    EXPECT_THAT(answer.body, HasSubstr("&lt;script&gt;"));
    EXPECT_THAT(answer.body, HasSubstr("This is &lt;b&gt;wrong"));
    EXPECT_THAT(answer.body, HasSubstr("<option selected>C</option>"));
    EXPECT_THAT(answer.body, HasSubstr(R"(name="postrider-submission" value="key")"));
    EXPECT_THAT(answer.body, HasSubstr(R"(aria-describedby="email-mistake")"));
    EXPECT_THAT(answer.body, Not(HasSubstr("<script")));
    EXPECT_THAT(
        std::string(answer.headers.find("Content-Security-Policy")), HasSubstr("default-src 'none'")
    );
    EXPECT_EQ(answer.headers.find("Cache-Control"), "no-store");
}

} // namespace
} // namespace postrider::hooks::form_page_test
