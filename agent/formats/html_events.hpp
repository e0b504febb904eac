#pragma once
// A page as a sequence of beginnings, ends and texts. It is read in pieces of any size, and whatever it is,
// a piece ends soon: a page that is nested too deep, or has too many attributes in its tags, ends there. Pure.
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::formats {

// In lower case, without a value where none is written.
using html_attributes = std::vector<std::pair<std::string_view, std::string_view>>;

class html_handler {
public:
    virtual ~html_handler() = default;
    // The level counts from 1, and is the same at the end of an element as at its beginning.
    virtual void begin(
        std::string_view name, html_attributes const& attributes, std::size_t level
    ) = 0;
    virtual void end(std::string_view name, std::size_t level) = 0;
    virtual void text(std::string_view piece) = 0;
};

class html_events {
public:
    // The handler outlives the events.
    explicit html_events(html_handler& handler);
    ~html_events();
    html_events(html_events const&) = delete;
    html_events& operator=(html_events const&) = delete;

    // The next bytes of the page, in UTF-8.
    void read(std::string_view piece);
    // To be called once, at the page's end.
    void finish();
    // Nothing follows: the handler has enough.
    void stop();

private:
    void end_here();

    struct state;
    std::unique_ptr<state> state_;
};

// Blanks of a page: spaces and line ends.
constexpr bool is_html_space(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

} // namespace postrider::agent::formats
