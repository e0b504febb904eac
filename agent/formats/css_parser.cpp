#include "agent/formats/css_tests.hpp"
#include "base/ascii.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace postrider::agent::formats {

namespace {

constexpr int most_selector_levels = 4;
constexpr int largest_number = 1'000'000;

bool is_css_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || static_cast<unsigned char>(c) >= 0x80 || c == '\\';
}

struct named_position {
    std::string_view name;
    std::vector<css_position_test> tests;
};

std::vector<named_position> const& fixed_positions() {
    static std::vector<named_position> const all{
        {"first-child", {{}}},
        {"last-child", {{.from_end = true}}},
        {"only-child", {{}, {.from_end = true}}},
        {"first-of-type", {{.of_type = true}}},
        {"last-of-type", {{.of_type = true, .from_end = true}}},
        {"only-of-type", {{.of_type = true}, {.of_type = true, .from_end = true}}},
    };
    return all;
}

class css_parser {
public:
    explicit css_parser(std::string_view text) : text_(text), rest_(text) {}

    // Null: reason() says why.
    std::shared_ptr<css_selector::selector_list const> parse() {
        auto list = read_list(0);
        if (reason_.empty() && !rest_.empty()) fail("what follows is not understood");
        return reason_.empty() ? std::move(list) : nullptr;
    }
    std::string const& reason() const { return reason_; }

private:
    void fail(std::string_view reason) {
        if (reason_.empty())
            reason_ = fmt::format("character {}: {}", text_.size() - rest_.size() + 1, reason);
    }
    bool take(std::string_view sign) {
        if (!rest_.starts_with(sign)) return false;
        rest_.remove_prefix(sign.size());
        return true;
    }
    bool skip_space() {
        bool const is_there = !rest_.empty() && is_css_space(rest_.front());
        while (!rest_.empty() && is_css_space(rest_.front())) rest_.remove_prefix(1);
        return is_there;
    }
    std::string read_name() {
        std::string name;
        while (!rest_.empty() && is_name_character(rest_.front())) {
            if (take("\\") && rest_.empty()) break;
            name += rest_.front();
            rest_.remove_prefix(1);
        }
        if (name.empty()) fail("a name is missing");
        return name;
    }

    std::shared_ptr<css_selector::selector_list const> read_list(int level) {
        auto list = std::make_shared<css_selector::selector_list>();
        if (level > most_selector_levels) fail("too many levels");
        do {
            skip_space();
            list->selectors.push_back(read_selector(level));
        } while (reason_.empty() && take(","));
        return list;
    }

    std::vector<css_compound> read_selector(int level) {
        std::vector<css_compound> all;
        auto before = css_combinator::descendant;
        for (;;) {
            all.push_back(read_compound(level));
            all.back().before = before;
            if (!reason_.empty()) return all;
            bool const was_space = skip_space();
            if (rest_.empty() || rest_.front() == ',' || rest_.front() == ')') return all;
            before = take(">")   ? css_combinator::child
                     : take("+") ? css_combinator::next_sibling
                     : take("~") ? css_combinator::later_sibling
                                 : css_combinator::descendant;
            if (before == css_combinator::descendant && !was_space) {
                fail("what follows is not understood");
                return all;
            }
            skip_space();
        }
    }

    css_compound read_compound(int level) {
        css_compound compound;
        auto const before = rest_.size();
        if (!take("*") && !rest_.empty() && is_name_character(rest_.front()))
            compound.type = base::to_lower(read_name());
        while (reason_.empty()) {
            if (take("#"))
                compound.attributes.push_back({.name = "id", .operation = '=', .value = read_name()}
                );
            else if (take("."))
                compound.attributes.push_back(
                    {.name = "class", .operation = '~', .value = read_name()}
                );
            else if (take("["))
                compound.attributes.push_back(read_attribute());
            else if (take(":"))
                read_pseudo_class(compound, level);
            else
                break;
        }
        if (rest_.size() == before) fail("a selector is missing");
        return compound;
    }

    css_attribute_test read_attribute() {
        css_attribute_test test;
        skip_space();
        test.name = base::to_lower(read_name());
        skip_space();
        if (take("]")) return test;
        constexpr std::string_view signs = "~|^$*";
        test.operation = '=';
        if (!rest_.empty() && signs.find(rest_.front()) != signs.npos) {
            test.operation = rest_.front();
            rest_.remove_prefix(1);
        }
        if (!take("=")) fail("an = is missing");
        skip_space();
        test.value = take("\"") ? read_quoted('"') : take("'") ? read_quoted('\'') : read_name();
        skip_space();
        test.any_case = take("i") || take("I");
        skip_space();
        if (!take("]")) fail("a ] is missing");
        return test;
    }

    std::string read_quoted(char quote) {
        std::string text;
        while (!rest_.empty() && rest_.front() != quote) {
            if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
            text += rest_.front();
            rest_.remove_prefix(1);
        }
        if (!take({&quote, 1})) fail("a quote is not closed");
        return text;
    }

    void read_pseudo_class(css_compound& compound, int level) {
        auto const place = rest_;
        auto const name = base::to_lower(read_name());
        for (auto const& [known, tests] : fixed_positions()) {
            if (known != name) continue;
            compound.positions.insert(compound.positions.end(), tests.begin(), tests.end());
            return;
        }
        if (name == "empty" || name == "root") {
            (name == "empty" ? compound.is_empty : compound.is_root) = true;
            return;
        }
        bool const is_list = name == "not" || name == "is" || name == "has";
        bool const is_position = name == "nth-child" || name == "nth-last-child" ||
                                 name == "nth-of-type" || name == "nth-last-of-type";
        if ((!is_list && !is_position) || !take("(")) {
            rest_ = place;
            fail("this pseudo-class is not known");
            return;
        }
        if (is_position) {
            auto test = read_position();
            test.of_type = name.ends_with("of-type");
            test.from_end = name.starts_with("nth-last");
            compound.positions.push_back(test);
        } else {
            auto const kind = name == "not"  ? css_list_test::none
                              : name == "is" ? css_list_test::any
                                             : css_list_test::within;
            compound.lists.emplace_back(kind, read_list(level + 1));
        }
        skip_space();
        if (!take(")")) fail("a ) is missing");
    }

    // odd, even, 3, n, 2n+1, -n + 3
    css_position_test read_position() {
        skip_space();
        if (take("odd")) return {.step = 2, .offset = 1};
        if (take("even")) return {.step = 2, .offset = 0};
        int const sign = take("-") ? -1 : 1;
        take("+");
        auto const number = read_number();
        if (!take("n")) {
            if (!number) fail("a number is missing");
            return {.step = 0, .offset = sign * number.value_or(0)};
        }
        css_position_test test{.step = sign * number.value_or(1), .offset = 0};
        skip_space();
        int const next_sign = take("+") ? 1 : take("-") ? -1 : 0;
        skip_space();
        if (next_sign != 0) test.offset = next_sign * read_number().value_or(0);
        return test;
    }

    std::optional<int> read_number() {
        int number = 0;
        auto const* const begin = rest_.data();
        auto const end = std::from_chars(begin, begin + rest_.size(), number);
        // Longer ones would not fit what is calculated with them, and no page has so many elements.
        if (end.ec != std::errc() || number < 0 || number > largest_number) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end.ptr - begin));
        return number;
    }

    std::string_view text_;
    std::string_view rest_;
    std::string reason_;
};

} // namespace

base::result<css_selector> css_selector::parse(std::string_view text) {
    if (text.size() > most_selector_bytes)
        return base::error(
            base::errc::too_large,
            fmt::format("a selector has at most {} bytes", most_selector_bytes)
        );
    css_parser parser(text);
    auto list = parser.parse();
    if (!list) return base::error(base::errc::invalid, "the selector: " + parser.reason());
    return css_selector(std::move(list));
}

} // namespace postrider::agent::formats
