#include "agent/tools/html_text.hpp"

#include "agent/formats/html_events.hpp"
#include "base/ascii.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace postrider::agent {

namespace {

using namespace std::string_view_literals;

using formats::html_attributes;
using formats::is_html_space;

constexpr std::array unread{
    "script"sv,
    "style"sv,
    "noscript"sv,
    "template"sv,
    "svg"sv,
    "math"sv,
    "iframe"sv,
    "object"sv,
    "canvas"sv,
    "audio"sv,
    "video"sv,
    "select"sv};
constexpr std::array paragraphs{
    "p"sv,
    "h1"sv,
    "h2"sv,
    "h3"sv,
    "h4"sv,
    "h5"sv,
    "h6"sv,
    "ul"sv,
    "ol"sv,
    "table"sv,
    "pre"sv,
    "blockquote"sv,
    "figure"sv,
    "form"sv,
    "dl"sv,
    "title"sv,
    "hr"sv};
constexpr std::array lines{
    "div"sv,    "br"sv,   "li"sv,      "tr"sv,     "section"sv, "article"sv,    "header"sv,
    "footer"sv, "nav"sv,  "main"sv,    "aside"sv,  "address"sv, "figcaption"sv, "dt"sv,
    "dd"sv,     "body"sv, "caption"sv, "option"sv, "details"sv, "summary"sv,    "fieldset"sv};

std::string_view attribute(html_attributes const& attributes, std::string_view name) {
    for (auto const& [key, value] : attributes)
        if (key == name) return value;
    return {};
}

bool has_attribute(html_attributes const& attributes, std::string_view name) {
    return std::ranges::any_of(attributes, [&](auto const& entry) { return entry.first == name; });
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_html_space(text.back())) text.remove_suffix(1);
    return text;
}

// Of "color: red; display: none !important" as browsers read it: the last declaration counts.
bool shows_nothing(std::string_view style) {
    bool nothing = false;
    while (!style.empty()) {
        auto const end = std::min(style.find(';'), style.size());
        auto const declaration = style.substr(0, end);
        style.remove_prefix(std::min(end + 1, style.size()));
        auto const colon = declaration.find(':');
        if (colon == declaration.npos) continue;
        if (!base::equals_without_case(trimmed(declaration.substr(0, colon)), "display")) continue;
        auto const value = declaration.substr(colon + 1);
        nothing = base::equals_without_case(trimmed(value.substr(0, value.find('!'))), "none");
    }
    return nothing;
}

bool is_hidden(html_attributes const& attributes) {
    return has_attribute(attributes, "hidden") || shows_nothing(attribute(attributes, "style"));
}

// Text with the blanks of a page: runs of them are one, and breaks are asked for.
class writer {
public:
    // At least so many line ends before what comes next.
    void end_line(int ends) {
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
    if (base::is_among(unread, name) || is_hidden(attributes)) {
        unread_from = level;
        return;
    }
    if (base::is_among(paragraphs, name)) out.end_line(2);
    if (base::is_among(lines, name)) out.end_line(1);
    if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6')
        out.write(std::string(static_cast<std::size_t>(name[1] - '0'), '#') + ' ', true);
    if (name == "title") out.write("# ", true);
    if (name == "li") out.write("- ", true);
    if (name == "td" || name == "th") out.write("| ", true);
    if (name == "pre") ++preformatted;
    if (name == "img") text(attribute(attributes, "alt"));
    if (name == "a") {
        auto const target = attribute(attributes, "href");
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
    if (base::is_among(paragraphs, name)) out.end_line(2);
    if (base::is_among(lines, name)) out.end_line(1);
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
