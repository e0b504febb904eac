#include "base/json/cut.hpp"

#include <fmt/format.h>

namespace postrider::base {

namespace {

constexpr auto nowhere = std::string_view::npos;

// Reads a beginning once, and remembers up to where all of it is whole.
class outline {
public:
    explicit outline(std::string_view text) : text_(text) {
        while (at_ < text_.size()) read_next();
    }

    std::string closed(std::size_t total) const {
        bool const inside_value = text_begin_ != nowhere && !is_member_name_;
        auto const end = inside_value ? whole_character_ : whole_;
        auto result = std::string(text_.substr(0, end));
        auto const left_out = fmt::format("{} bytes more", total - end);
        if (inside_value)
            result += "… " + left_out + '"';
        else if (open_.empty())
            return "\"… " + left_out + '"';
        else
            result += fmt::format(
                          "{}{}", is_empty_ ? "" : ",", open_.back() == '{' ? "\"…\":\"" : "\"… "
                      ) +
                      left_out + '"';
        for (auto bracket = open_.rbegin(); bracket != open_.rend(); ++bracket)
            result += *bracket == '{' ? '}' : ']';
        return result;
    }

private:
    void read_next() {
        char const c = text_[at_++];
        if (text_begin_ != nowhere)
            read_inside_text(c);
        else if (c == '"')
            begin_text();
        else if (c == '{' || c == '[') {
            open_ += c;
            keep(true, c == '{');
        } else if (c == '}' || c == ']') {
            open_.pop_back();
            keep(false, false);
        } else if (c == ',') {
            --at_;
            keep(false, false);
            ++at_;
            is_member_name_ = open_.back() == '{';
        } else if (c == ':')
            is_member_name_ = false;
    }

    void begin_text() {
        text_begin_ = at_;
        whole_character_ = at_;
    }

    void read_inside_text(char c) {
        if (c == '"') {
            text_begin_ = nowhere;
            return;
        }
        constexpr std::size_t of_code = 4;
        if (c == '\\' && at_ < text_.size())
            at_ += text_[at_] == 'u' ? 1 + of_code : 1;
        else if (c == '\\')
            ++at_;
        if (at_ <= text_.size()) whole_character_ = at_;
    }

    // All before `at_` is whole.
    void keep(bool is_empty, bool is_member_name) {
        whole_ = at_;
        is_empty_ = is_empty;
        is_member_name_ = is_member_name;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string open_; // brackets
    std::size_t text_begin_ = nowhere;
    std::size_t whole_character_ = 0; // of the text that is not closed
    std::size_t whole_ = 0;
    bool is_empty_ = true; // the innermost list or object has nothing before `whole_`
    bool is_member_name_ = false;
};

} // namespace

std::string closed_json(std::string_view beginning, std::size_t total) {
    if (beginning.size() >= total) return std::string(beginning);
    return outline(beginning).closed(total);
}

} // namespace postrider::base
