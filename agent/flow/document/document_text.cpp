#include "agent/flow/document/document_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace postrider::agent::flow {

namespace {

namespace json = boost::json;

constexpr std::size_t line_width = 100;
constexpr std::size_t indent = 2;

bool plain(json::value const& value) {
    return !value.is_structured() || (value.is_array() && value.get_array().empty()) ||
           (value.is_object() && value.get_object().empty());
}

// With a point or an exponent, so that it is read as what it is.
std::string number_text(double number) {
    std::array<char, 32> digits;
    auto const end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    std::string text(digits.begin(), end);
    if (text.find_first_of(".en") == text.npos) text += ".0";
    return text;
}

class printer {
public:
    void print(json::value const& value, std::size_t column) {
        if (auto const* number = value.if_double())
            text_ += number_text(*number);
        else if (plain(value))
            text_ += json::serialize(value);
        else if (auto line = one_line(value); column + line.size() <= line_width && !line.empty())
            text_ += line;
        else if (auto const* array = value.if_array())
            print_all(*array, '[', ']', [this](auto const& item) { print(item, level_ * indent); });
        else
            print_all(value.get_object(), '{', '}', [this](auto const& member) {
                auto const name = json::serialize(member.key()) + ": ";
                text_ += name;
                print(member.value(), level_ * indent + name.size());
            });
    }

    std::string take() { return std::move(text_); }

private:
    template<class All, class Print>
    void print_all(All const& values, char open, char close, Print const& print_one) {
        text_ += open;
        ++level_;
        bool first = true;
        for (auto const& item : values) {
            if (!std::exchange(first, false)) text_ += ',';
            new_line();
            print_one(item);
        }
        --level_;
        new_line();
        text_ += close;
    }

    void new_line() {
        text_ += '\n';
        text_.append(level_ * indent, ' ');
    }

    // Empty where it holds another container.
    static std::string one_line(json::value const& value) {
        printer line;
        char const close = value.is_array() ? ']' : '}';
        line.text_ = value.is_array() ? "[" : "{";
        auto const add = [&](json::value const& item) {
            if (!plain(item)) return false;
            line.print(item, 0);
            line.text_ += ", ";
            return true;
        };
        if (auto const* array = value.if_array()) {
            if (!std::ranges::all_of(*array, add)) return {};
        } else {
            for (auto const& member : value.get_object()) {
                line.text_ += json::serialize(member.key()) + ": ";
                if (!add(member.value())) return {};
            }
        }
        line.text_.resize(line.text_.size() - 2);
        return line.text_ + close;
    }

    std::string text_;
    std::size_t level_ = 0;
};

} // namespace

std::string document_text(json::value const& document) {
    printer output;
    output.print(document, 0);
    return output.take() + '\n';
}

} // namespace postrider::agent::flow
