#include "server/cli/options.hpp"

#include "base/texts.hpp"
#include "server/cli/parser/suggestion.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace postrider::cli {

namespace {

bool is_above_zero(std::string const& text) {
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    return ec == std::errc{} && end == text.data() + text.size() && number > 0;
}

} // namespace

value_check version_number() {
    auto const refuse = [](std::string const& text) -> std::string {
        if (is_above_zero(text)) return {};
        return fmt::format("a version is a whole number such as 3, not {}", in_quotes(text));
    };
    return {refuse, ""};
}

value_check version_name() {
    auto const refuse = [](std::string const& text) -> std::string {
        if (is_above_zero(text) || text == "draft" || text == "published") return {};
        return fmt::format(
            "a version is a whole number such as 3, draft or published, not {}", in_quotes(text)
        );
    };
    return {refuse, ""};
}

value_check id_number() {
    auto const refuse = [](std::string const& text) -> std::string {
        if (is_above_zero(text)) return {};
        return fmt::format(
            "an id is a whole number from 1 to {}, not {}",
            std::numeric_limits<std::int64_t>::max(),
            in_quotes(text)
        );
    };
    return {refuse, ""};
}

value_check word_of(std::vector<std::string> words) {
    auto const description = base::joined(words, "|");
    auto const refuse = [words = std::move(words)](std::string const& text) -> std::string {
        if (std::ranges::find(words, text) != words.end()) return {};
        auto const hint = suggestion(text, words);
        return fmt::format("{} is none of {}{}", in_quotes(text), base::joined(words, ", "), hint);
    };
    return {refuse, description};
}

value_check some_text() {
    auto const refuse = [](std::string const& text) -> std::string {
        bool const blank = text.find_first_not_of(" \t\r\n") == text.npos;
        return blank ? "a text is needed, not an empty one" : "";
    };
    return {refuse, ""};
}

void add_job(option_parser& parser, std::int64_t& job) {
    parser.add_option("ID", job, "The job's id")->required()->check(id_number());
}

void add_name(option_parser& parser, std::string& name, std::string const& help) {
    parser.add_option("NAME", name, help)->required()->check(some_text());
}

void add_address(option_parser& parser, std::string& address) {
    parser
        .add_option(
            "--address",
            address,
            "The server: a port, host:port, a URL or unix:/path (server.listen of the "
            "configuration)"
        )
        ->type_name("ADDRESS");
}

void add_say(option_parser& parser, std::vector<std::string>& texts) {
    parser.add_option("--say", texts, "Send this, print the replies, exit; may be repeated")
        ->type_name("TEXT")
        ->check(some_text())
        ->allow_extra_args(false);
}

void add_limit(option_parser& parser, int& limit) {
    parser.add_option("--limit", limit, "Number of rows at most (20)")
        ->check(in_range(1, 1000))
        ->type_name("N");
}

void add_page(option_parser& parser, page& page) {
    add_limit(parser, page.limit);
    add_cursor(parser, page.cursor);
}

void add_cursor(option_parser& parser, std::int64_t& cursor) {
    parser.add_option("--cursor", cursor, "The next page, as the page before names it")
        ->check(id_number())
        ->type_name("ID");
}

void add_cursor(option_parser& parser, std::string& cursor) {
    parser.add_option("--cursor", cursor, "The next page, as the page before names it")
        ->check(some_text())
        ->type_name("CURSOR");
}

void add_event(option_parser& parser, event_options& event) {
    parser.add_option("--type", event.type, "The event that a job waits for")
        ->required()
        ->check(some_text())
        ->type_name("TYPE");
    parser.add_option("--payload", event.payload, "What the job gets")->type_name("JSON");
    parser.add_option("--match", event.match, "The id it answers, where the wait asks for one")
        ->type_name("ID");
}

} // namespace postrider::cli
