#include "agent/json_schema/pattern.hpp"

#include "agent/json_schema/wording.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

namespace postrider::agent::json_schema {

namespace {

constexpr std::size_t longest_text = 4096;

constexpr std::string_view white_space = R"(\t\n\v\f\r\x{FEFF}\x{2028}\x{2029}\p{Zs})";

// ECMA-262's longer names of what RE2 knows by one or two letters.
constexpr std::pair<std::string_view, std::string_view> general_categories[] = {
    {"Letter", "L"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Mark", "M"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Punctuation", "P"},
    {"Symbol", "S"},
    {"Separator", "Z"},
    {"Other", "C"},
};

bool is_hexadecimal(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

class translation {
public:
    explicit translation(std::string_view text) : text_(text) {}

    std::string expression() {
        while (!text_.empty()) {
            if (text_.front() == '\\' && text_.size() > 1)
                escape();
            else if (!in_brackets_ && text_.starts_with("(?<") && !text_.starts_with("(?<=") &&
                     !text_.starts_with("(?<!"))
                replace(3, "(?P<");
            else
                plain();
        }
        return std::move(expression_);
    }

private:
    void replace(std::size_t length, std::string_view replacement) {
        expression_ += replacement;
        text_.remove_prefix(length);
    }

    void plain() {
        if (text_.front() == '[') in_brackets_ = true;
        if (text_.front() == ']') in_brackets_ = false;
        replace(1, text_.substr(0, 1));
    }

    void escape() {
        switch (text_[1]) {
        case 'u':
            if (text_.substr(2).starts_with('{')) return replace(2, "\\x");
            if (text_.size() >= 6 && is_hexadecimal(text_.substr(2, 4)))
                return replace(6, fmt::format("\\x{{{}}}", text_.substr(2, 4)));
            break;
        case 'c':
            if (text_.size() >= 3 && std::isalpha(static_cast<unsigned char>(text_[2])))
                return replace(3, fmt::format("\\x{:02x}", text_[2] % 32));
            break;
        case 's':
            return replace(
                2, in_brackets_ ? std::string(white_space) : fmt::format("[{}]", white_space)
            );
        case 'S':
            if (!in_brackets_) return replace(2, fmt::format("[^{}]", white_space));
            break;
        case 'p':
        case 'P':
            if (text_.substr(2).starts_with('{')) return property();
            break;
        default:
            break;
        }
        replace(2, text_.substr(0, 2));
    }

    // \p{Letter}, \p{Script=Greek}
    void property() {
        auto const length = std::min(text_.find('}'), text_.size());
        auto name = text_.substr(3, length - 3);
        for (std::string_view kind : {"Script=", "sc=", "General_Category=", "gc="})
            if (name.starts_with(kind)) name.remove_prefix(kind.size());
        auto const category = std::ranges::find(
            general_categories, name, &std::pair<std::string_view, std::string_view>::first
        );
        if (category != std::end(general_categories)) name = category->second;
        replace(length, fmt::format("{}{{{}", text_.substr(0, 2), name));
    }

    std::string_view text_;
    std::string expression_;
    bool in_brackets_ = false;
};

} // namespace

base::result<pattern> pattern::compile(std::string_view text) {
    if (text.size() > longest_text)
        return base::error(base::errc::too_large, "the pattern is too long");
    re2::RE2::Options options;
    options.set_log_errors(false);
    auto machine = std::make_shared<re2::RE2>(translation(text).expression(), options);
    if (!machine->ok())
        return base::error(
            base::errc::invalid,
            "is no regular expression that RE2 knows: " + cut(machine->error(), 200)
        );
    return pattern(std::move(machine));
}

bool pattern::is_valid(std::string_view text) {
    if (text.size() > longest_text) return false;
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(64 << 10);
    re2::RE2 const machine(translation(text).expression(), options);
    return machine.ok() || machine.error_code() == re2::RE2::ErrorPatternTooLarge;
}

bool pattern::found_in(std::string_view text) const {
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *machine_);
}

} // namespace postrider::agent::json_schema
