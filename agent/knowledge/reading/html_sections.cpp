#include "agent/knowledge/reading/html_sections.hpp"

#include "agent/formats/html_display.hpp"
#include "base/names.hpp"

#include <array>

namespace postrider::agent::knowledge {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t longest_page_title = 1000;

// What belongs to the site rather than to the page.
constexpr std::array site_elements{"nav"sv, "button"sv, "dialog"sv};
constexpr std::array site_roles{
    "navigation"sv, "search"sv, "menu"sv, "menubar"sv, "contentinfo"sv, "toolbar"sv};

bool is_of_the_site(std::string_view name, formats::html_attributes const& attributes) {
    return base::is_among(site_elements, name) ||
           base::is_among(site_roles, formats::attribute_of(attributes, "role")) ||
           formats::attribute_of(attributes, "aria-hidden") == "true";
}

} // namespace

void html_sections::read(std::string_view piece) {
    if (writer_.is_full()) events_.stop();
    events_.read(piece);
}

void html_sections::finish() {
    events_.finish();
    writer_.end_code();
    writer_.end_line(2);
}

void html_sections::begin(
    std::string_view name, formats::html_attributes const& attributes, std::size_t level
) {
    if (unread_from_ > 0) return;
    if (formats::is_unread_element(name) || formats::is_hidden_element(attributes) ||
        is_of_the_site(name, attributes)) {
        unread_from_ = level;
        return;
    }
    if (name == "title") {
        in_title_ = true;
        return;
    }
    if (auto const heading = formats::heading_level(name); heading > 0)
        writer_.begin_heading(heading);
    else
        writer_.end_line(formats::line_ends_around(name));
    begin_block(name, attributes);
}

void html_sections::begin_block(std::string_view name, formats::html_attributes const& attributes) {
    if (name == "pre" && preformatted_++ == 0) writer_.begin_code();
    if (name == "table") writer_.begin_table();
    if (name == "tr") writer_.begin_row();
    if (name == "td" || name == "th") writer_.begin_cell();
    if (name == "ul" || name == "ol") lists_.push_back({name == "ol", 0});
    if (name == "li") begin_list_item();
    if (name == "br" && preformatted_ > 0) writer_.write_verbatim("\n");
    if (name == "img") writer_.write(formats::attribute_of(attributes, "alt"));
    if (name == "a") writer_.begin_link(formats::attribute_of(attributes, "href"));
}

void html_sections::begin_list_item() {
    if (lists_.empty() || !lists_.back().is_numbered) {
        writer_.begin_item("- ", lists_.empty() ? 0 : lists_.size() - 1);
        return;
    }
    writer_.begin_item(std::to_string(++lists_.back().items) + ". ", lists_.size() - 1);
}

void html_sections::text(std::string_view piece) {
    if (unread_from_ > 0) return;
    if (in_title_) {
        if (title_.size() < longest_page_title) title_ += piece;
    } else if (preformatted_ > 0) {
        writer_.write_verbatim(piece);
    } else {
        writer_.write(piece);
    }
}

void html_sections::end(std::string_view name, std::size_t level) {
    bool const was_read = unread_from_ == 0;
    if (unread_from_ == level) unread_from_ = 0;
    if (!was_read) return;
    if (name == "title") {
        in_title_ = false;
        writer_.set_title(title_);
        return;
    }
    end_block(name);
    if (formats::heading_level(name) > 0)
        writer_.end_heading();
    else
        writer_.end_line(formats::line_ends_around(name));
}

void html_sections::end_block(std::string_view name) {
    if (name == "a") writer_.end_link();
    if (name == "pre" && preformatted_ > 0 && --preformatted_ == 0) writer_.end_code();
    if ((name == "ul" || name == "ol") && !lists_.empty()) lists_.pop_back();
    if (name == "td" || name == "th") writer_.end_cell();
    if (name == "tr") writer_.end_row();
    if (name == "table") writer_.end_table();
}

} // namespace postrider::agent::knowledge
