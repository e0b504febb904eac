#include "tests/unit/agent/expression/text_proto.hpp"

#include "agent/language/unicode.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace postrider::agent {

namespace {

constexpr std::string_view word_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-";

class reader {
public:
    explicit reader(std::string_view rest) : rest_(rest) {}

    // To the closing bracket, or to the end of the file.
    std::vector<text_proto> fields() {
        std::vector<text_proto> all;
        for (;;) {
            skip_space();
            if (rest_.empty() || take('}')) return all;
            if (take(',') || take(';')) continue;
            all.push_back(field());
        }
    }

private:
    text_proto field() {
        text_proto read;
        read.name = rest_.starts_with('[') ? extension() : word();
        skip_space();
        take(':');
        skip_space();
        if (take('{'))
            read.fields = fields();
        else if (rest_.starts_with('"') || rest_.starts_with('\''))
            read.text = strings();
        else
            read.text = word();
        return read;
    }

    std::string extension() {
        auto const end = rest_.find(']');
        if (end == rest_.npos) throw std::runtime_error("a name in brackets is not closed");
        std::string name(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return name;
    }

    std::string word() {
        auto const end = std::min(rest_.find_first_not_of(word_characters), rest_.size());
        if (end == 0) throw std::runtime_error("no word: " + std::string(rest_.substr(0, 40)));
        std::string read(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return read;
    }

    // Several in a row are one.
    std::string strings() {
        std::string read;
        while (rest_.starts_with('"') || rest_.starts_with('\'')) {
            auto const quote = next();
            while (!rest_.starts_with(quote)) {
                if (rest_.empty()) throw std::runtime_error("a string is not closed");
                auto const c = next();
                if (c == '\\')
                    append_escape(read);
                else
                    read += c;
            }
            next();
            skip_space();
        }
        return read;
    }

    void append_escape(std::string& text) {
        constexpr std::string_view letters = "abfnrtv", values = "\a\b\f\n\r\t\v";
        auto const kind = next();
        if (auto const letter = letters.find(kind); letter != letters.npos)
            text += values[letter];
        else if (kind >= '0' && kind <= '7')
            text += static_cast<char>(number(kind - '0', 2, 8));
        else if (kind == 'x')
            text += static_cast<char>(number(0, 2, 16));
        else if (kind == 'u' || kind == 'U')
            expressions::append_utf8(text, number(0, kind == 'u' ? 4 : 8, 16));
        else
            text += kind;
    }

    // Whose first digits have that value, and at most so many more.
    char32_t number(int first, std::size_t digits, int base) {
        auto value = static_cast<char32_t>(first);
        auto const* begin = rest_.data();
        auto const* const most = begin + std::min(digits, rest_.size());
        for (int digit = 0; begin != most; ++begin) {
            if (std::from_chars(begin, begin + 1, digit, base).ec != std::errc{}) break;
            value = value * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
        }
        rest_.remove_prefix(static_cast<std::size_t>(begin - rest_.data()));
        return value;
    }

    char next() {
        if (rest_.empty()) throw std::runtime_error("the file ends too early");
        auto const c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    bool take(char wanted) {
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    void skip_space() {
        for (;;) {
            rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
            if (!rest_.starts_with('#')) return;
            rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        }
    }

    std::string_view rest_;
};

} // namespace

text_proto const* text_proto::find(std::string_view field) const {
    auto const found = std::ranges::find(fields, field, &text_proto::name);
    return found == fields.end() ? nullptr : &*found;
}

std::vector<text_proto const*> text_proto::all(std::string_view field) const {
    std::vector<text_proto const*> found;
    for (auto const& candidate : fields)
        if (candidate.name == field) found.push_back(&candidate);
    return found;
}

std::string_view text_proto::text_of(std::string_view field) const {
    auto const* found = find(field);
    return found ? std::string_view(found->text) : std::string_view();
}

text_proto read_text_proto(std::string_view file) {
    return {{}, {}, reader{file}.fields()};
}

} // namespace postrider::agent
