#pragma once
// Telegram's rules for the HTML of a message, as core.telegram.org/bots/api#formatting-options has them: stricter than
// the original, which overlooks much, so that what passes here is taken and shown as it was meant. It shares nothing
// with the server's own reader. Pure.
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::tests {

struct html_limits {
    std::size_t units = 4096;   // of UTF-16, of what people see
    std::size_t bytes = 32'768; // of the source
    std::size_t entities = 100;
};

class telegram_html {
public:
    explicit telegram_html(std::string_view text, html_limits limits = {})
        : text_(text),
          limits_(limits) {
        check();
    }

    // What is wrong with it; "" = nothing.
    std::string const& problem() const { return problem_; }
    std::string const& visible() const { return visible_; }
    std::size_t entities() const { return entities_; }

private:
    struct open_tag {
        std::string name;
        std::size_t begin = 0; // in the visible text
    };

    void check() {
        if (!base::is_utf8(text_)) return fail("no UTF-8");
        if (text_.size() > limits_.bytes) return fail("too many bytes");
        while (at_ < text_.size() && problem_.empty()) step();
        if (!problem_.empty()) return;
        if (!open_.empty()) return fail("an open <" + open_.back().name + ">");
        if (base::utf16_length(visible_) > limits_.units) return fail("too long");
        if (visible_.find_first_not_of(" \t\r\n") == visible_.npos) return fail("blank");
        if (entities_ > limits_.entities) return fail("too many entities");
    }

    void step() {
        auto const next = text_[at_];
        if (next == '<') return read_tag();
        if (next == '>') return fail("a bare >");
        if (next == '&') return read_entity();
        if (next == '\0') return fail("a NUL");
        visible_ += next;
        ++at_;
    }

    void read_entity() {
        constexpr std::array<std::pair<std::string_view, char>, 4> named{
            {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}}};
        for (auto const& [name, character] : named) {
            if (!text_.substr(at_).starts_with(name)) continue;
            visible_ += character;
            at_ += name.size();
            return;
        }
        if (!text_.substr(at_).starts_with("&#")) return fail("a bare &");
        read_number();
    }

    // Of characters below U+0080: nothing else is written so.
    void read_number() {
        auto const end = text_.find(';', at_);
        auto const digits =
            end == text_.npos ? std::string_view() : text_.substr(at_ + 2, end - at_ - 2);
        int value = 0;
        auto const [read, error] = std::from_chars(digits.begin(), digits.end(), value);
        if (error != std::errc{} || read != digits.end() || value < 1 || value > 127)
            return fail("a number that is no character");
        visible_ += static_cast<char>(value);
        at_ = end + 1;
    }

    void read_tag() {
        auto const end = text_.find('>', at_);
        if (end == text_.npos) return fail("a bare <");
        auto const inside = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        if (inside.starts_with('/')) return close(inside.substr(1));
        auto const blank = inside.find(' ');
        auto const attributes =
            blank == inside.npos ? std::string_view() : inside.substr(blank + 1);
        open(std::string(inside.substr(0, blank)), attributes);
    }

    void open(std::string name, std::string_view attributes) {
        bool const is_language = name == "code" && !attributes.empty();
        if (!is_known(name)) return fail("an unknown <" + name + ">");
        if (!fits(name, attributes)) return fail("attributes of <" + name + ">");
        if (is_language) {
            bool const opens_block = !open_.empty() && open_.back().name == "pre" &&
                                     open_.back().begin == visible_.size();
            if (!opens_block) return fail("a language outside of a block");
        } else {
            if (is_inside("code") || is_inside("pre")) return fail("<" + name + "> within code");
            bool const is_code = name == "code" || name == "pre";
            if (is_code && is_inside("a")) return fail("code within a link");
            if (is_inside(name)) return fail("<" + name + "> within itself");
            for (auto const* style : {"b", "i", "u", "s", "tg-spoiler"})
                if (is_code && is_inside(style)) return fail("styled code");
            ++entities_;
        }
        open_.push_back({std::move(name), visible_.size()});
    }

    void close(std::string_view name) {
        if (open_.empty() || open_.back().name != name)
            return fail("</" + std::string(name) + "> out of order");
        if (open_.back().begin == visible_.size())
            return fail("an empty <" + std::string(name) + ">");
        open_.pop_back();
        // Of a block with a language nothing is outside of its code.
        bool const ends_language = name == "code" && !open_.empty() && open_.back().name == "pre";
        if (ends_language && !text_.substr(at_).starts_with("</pre>"))
            fail("words behind the code of a block");
    }

    static bool is_known(std::string_view name) {
        constexpr std::array<std::string_view, 8> names{
            "b", "i", "u", "s", "a", "code", "pre", "blockquote"};
        return name == "tg-spoiler" || std::ranges::find(names, name) != names.end();
    }

    static bool fits(std::string_view name, std::string_view attributes) {
        if (name == "a") return is_address(value_of(attributes, "href"));
        if (attributes.empty()) return true;
        if (name == "blockquote") return attributes == "expandable";
        return name == "code" && value_of(attributes, "class").starts_with("language-");
    }

    // "" unless it is the only one.
    static std::string_view value_of(std::string_view attributes, std::string_view name) {
        if (!attributes.starts_with(name)) return {};
        attributes.remove_prefix(name.size());
        if (attributes.size() < 3 || !attributes.starts_with("=\"") || !attributes.ends_with('"'))
            return {};
        auto const value = attributes.substr(2, attributes.size() - 3);
        return value.find_first_of("\"<>\n") == value.npos ? value : std::string_view();
    }

    static bool is_address(std::string_view value) {
        constexpr std::array<std::string_view, 4> schemes{
            "https://", "http://", "tg://", "mailto:"};
        return std::ranges::any_of(schemes, [&](auto scheme) {
            return value.size() > scheme.size() && value.starts_with(scheme);
        });
    }

    bool is_inside(std::string_view name) const {
        return std::ranges::any_of(open_, [&](auto const& tag) { return tag.name == name; });
    }

    void fail(std::string problem) {
        if (problem_.empty()) problem_ = std::move(problem);
    }

    std::string_view text_;
    html_limits limits_;
    std::size_t at_ = 0;
    std::vector<open_tag> open_;
    std::size_t entities_ = 0;
    std::string visible_;
    std::string problem_;
};

} // namespace postrider::tests
