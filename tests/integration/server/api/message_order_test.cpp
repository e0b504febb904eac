// The order in which a conversation's messages are listed.
#include "tests/integration/server/api/conversations_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

// Asks twice, and says something in between.
constexpr std::string_view asking_twice = R"({"format": 1, "name": "asking",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "ask", "name": "Ask", "type": "telegram.ask",
         "parameters": {"text": "Tea?", "choices": [{"name": "yes"}]}},
        {"id": "say", "name": "Say", "type": "telegram.send", "parameters": {"text": "Tea it is."}},
        {"id": "more", "name": "More", "type": "telegram.ask",
         "parameters": {"text": "Milk?", "choices": [{"name": "no"}]}},
        {"id": "end", "name": "End", "type": "telegram.send", "parameters": {"text": "Black, then."}}],
    "connections": [
        {"from": "in", "to": "ask"}, {"from": "ask", "output": "yes", "to": "say"},
        {"from": "say", "to": "more"}, {"from": "more", "output": "no", "to": "end"}]})";

constexpr auto waits = "select coalesce(string_agg(key, ','), '') from postrider.wait";

class message_order : public conversations {
protected:
    // A turn that was answered in words twice, and one behind it.
    std::string talked() {
        server.publish(asking_twice);
        server.start_engine();
        auto const where = begin("asking");
        ask(202, "POST", where, R"({"text": "hi"})");
        server.until(waits, "ask/ask-press");
        ask(202, "POST", where, R"({"text": "yes"})");
        server.until(waits, "more/ask-press");
        EXPECT_EQ(reply_to(where, "no"), "Black, then.");
        ask(202, "POST", where, R"({"text": "again"})");
        server.until(waits, "ask/ask-press");
        return where;
    }

    static void add_lines(std::vector<std::string>& lines, json::value const& page) {
        for (auto const& message : page.at("messages").as_array()) {
            auto const text = std::string(message.at("content").as_string());
            lines.push_back(text.substr(0, text.find('\n')));
        }
    }
    // Page by page.
    std::vector<std::string> lines_of(std::string const& where, int size) {
        std::vector<std::string> lines;
        auto const path = where + "?limit=" + std::to_string(size);
        for (std::string cursor;;) {
            auto const page = ask(200, "GET", path + cursor, "");
            add_lines(lines, page);
            auto const* next = page.as_object().if_contains("next");
            if (!next || lines.size() > 100) return lines;
            cursor = "&cursor=" + std::string(next->as_string());
        }
    }
};

// covers: X.18
TEST_F(message_order, has_an_answer_in_words_before_what_it_caused) {
    auto const where = talked();

    for (int const size : {1, 2, 3, 50})
        EXPECT_THAT(
            lines_of(where, size),
            ElementsAre(
                "hi", "Tea?", "yes", "Tea it is.", "Milk?", "no", "Black, then.", "again", "Tea?"
            )
        ) << size;
}

// Jobs may go before messages.
TEST_F(message_order, is_that_of_the_turns_where_it_is_not_known_what_was_answered) {
    auto const where = talked();
    database.execute("delete from postrider.job where output ? 'routed_to'");

    EXPECT_THAT(
        lines_of(where, 2),
        ElementsAre(
            "hi", "Tea?", "Tea it is.", "Milk?", "Black, then.", "yes", "no", "again", "Tea?"
        )
    );
}

} // namespace
} // namespace postrider::tests
