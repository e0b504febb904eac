#include "agent/tools/html_text.hpp"

#include "agent/formats/html_display.hpp"
#include "agent/formats/html_events.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <vector>

namespace postrider::agent {

namespace {

using formats::html_attributes;
using formats::is_html_space;

// Text with the blanks of a page: runs of them are one, and breaks are asked for.
class writer {
public:
    // At least so many line ends before what comes next; 0 changes nothing.
    void end_line(int ends) {
        if (ends == 0) return;
        if (!text_.empty()) pending_ends_ = std::max(pending_ends_, ends);
        pending_space_ = false;
    }
    void write(std::string_view piece, bool as_is) {
        for (char c : piece) {
            if (is_html_space(c) && !as_is) {
                pending_space_ = true;
            } else {
                begin();
                text_ += c;
            }
        }
    }
    std::size_t size() const { return text_.size(); }
    std::string take() { return std::move(text_); }

private:
    void begin() {
        bool const within_line = pending_ends_ == 0;
        text_.append(static_cast<std::size_t>(pending_ends_), '\n');
        pending_ends_ = 0;
        if (pending_space_ && within_line && !text_.empty() && text_.back() != '\n') text_ += ' ';
        pending_space_ = false;
    }

    std::string text_;
    int pending_ends_ = 0;
    bool pending_space_ = false;
};

} // namespace

struct html_text::state final : formats::html_handler {
    void begin(std::string_view name, html_attributes const& attributes, std::size_t level)
        override;
    void end(std::string_view name, std::size_t level) override;
    void text(std::string_view piece) override {
        if (unread_from == 0) out.write(piece, preformatted > 0);
    }

    writer out;
    std::size_t unread_from = 0; // the level of the outermost element that is not read; 0 = none
    int preformatted = 0;
    std::vector<std::string> links;     // of the open <a>
    formats::html_events events{*this}; // calls this at once
};

void html_text::state::begin(
    std::string_view name, html_attributes const& attributes, std::size_t level
) {
    if (unread_from > 0) return;
    if (formats::is_unread_element(name) || formats::is_hidden_element(attributes)) {
        unread_from = level;
        return;
    }
    out.end_line(formats::line_ends_around(name));
    if (auto const depth = formats::heading_level(name); depth > 0)
        out.write(std::string(static_cast<std::size_t>(depth), '#') + ' ', true);
    if (name == "title") out.write("# ", true);
    if (name == "li") out.write("- ", true);
    if (name == "td" || name == "th") out.write("| ", true);
    if (name == "pre") ++preformatted;
    if (name == "img") text(formats::attribute_of(attributes, "alt"));
    if (name == "a") {
        auto const target = formats::attribute_of(attributes, "href");
        bool const readable = !target.empty() && target.size() <= 500 && target.front() != '#' &&
                              !target.starts_with("javascript:");
        links.emplace_back(readable ? target : std::string_view());
        if (readable) text("[");
    }
}

void html_text::state::end(std::string_view name, std::size_t level) {
    bool const was_read = unread_from == 0;
    if (unread_from == level) unread_from = 0;
    if (!was_read) return;
    if (name == "a" && !links.empty()) {
        if (!links.back().empty()) text("](" + links.back() + ")");
        links.pop_back();
    }
    if (name == "pre" && preformatted > 0) --preformatted;
    if (name == "td" || name == "th") text(" ");
    out.end_line(formats::line_ends_around(name));
}

html_text::html_text() : state_(std::make_unique<state>()) {}
html_text::~html_text() = default;

void html_text::read(std::string_view piece) {
    state_->events.read(piece);
}

std::string html_text::finish() {
    state_->events.finish();
    return base::as_utf8(state_->out.take());
}

} // namespace postrider::agent
