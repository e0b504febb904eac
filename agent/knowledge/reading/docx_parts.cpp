#include "agent/knowledge/reading/docx_parts.hpp"

#include "agent/formats/html_display.hpp"
#include "base/ascii.hpp"
#include "base/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace postrider::agent::knowledge {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t most_styles = 10'000;
constexpr int most_style_steps = 20; // from a style to the one that it is based on
constexpr std::size_t longest_style_name = 200;
constexpr std::size_t longest_core_title = 1000;

// Their names in the file are English, whatever the language of the program.
constexpr std::array code_styles{
    "html preformatted"sv,
    "preformatted text"sv,
    "code"sv,
    "code block"sv,
    "source code"sv,
    "macro text"sv,
    "macro"sv};

// What is there twice, or is no text of the document.
constexpr std::array unread_parts{"Fallback"sv, "del"sv, "moveFrom"sv, "pPrChange"sv};

int number_in(std::string_view text, int otherwise) {
    int number = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::string_view value_in(formats::html_attributes const& attributes) {
    return formats::attribute_of(attributes, "val");
}

// An outline level counts from 0; 9 is the text below all headings.
int heading_of_outline(std::string_view value) {
    auto const level = number_in(value, 9);
    return level >= 0 && level < 9 ? level + 1 : 0;
}

// Programs that leave styles.xml out still write the ids of Word: "Heading1" to "Heading6".
int heading_of_id(std::string_view id) {
    constexpr auto prefix = "Heading"sv;
    if (!id.starts_with(prefix) || id.size() != prefix.size() + 1) return 0;
    return id.back() >= '1' && id.back() <= '6' ? id.back() - '0' : 0;
}

paragraph_role role_of_name(std::string const& name) {
    if (name.starts_with("heading "))
        return {.heading = std::clamp(number_in(std::string_view(name).substr(8), 0), 0, 9)};
    return {.is_title = name == "title", .is_code = base::is_among(code_styles, name)};
}

} // namespace

void docx_styles::begin(
    std::string_view name, formats::html_attributes const& attributes, std::size_t
) {
    if (name == "style") {
        auto const id = formats::attribute_of(attributes, "styleId").substr(0, longest_style_name);
        bool const is_paragraph = formats::attribute_of(attributes, "type") == "paragraph";
        open_ = is_paragraph && styles_.size() < most_styles ? &styles_[std::string(id)] : nullptr;
    } else if (!open_) {
        return;
    } else if (name == "name") {
        auto const shown = value_in(attributes).substr(0, longest_style_name);
        auto const level = open_->role.heading;
        open_->role = role_of_name(base::to_lower(std::string(shown)));
        if (open_->has_level) open_->role.heading = level;
        open_->has_level = open_->has_level || open_->role.heading > 0;
    } else if (name == "basedOn") {
        open_->based_on = value_in(attributes).substr(0, longest_style_name);
    } else if (name == "outlineLvl") {
        open_->role.heading = heading_of_outline(value_in(attributes));
        open_->has_level = true;
    }
}

paragraph_role docx_styles::role_of(std::string const& id) const {
    paragraph_role role;
    auto at = styles_.find(id);
    if (at == styles_.end()) role.heading = heading_of_id(id);
    for (int step = 0; at != styles_.end() && step < most_style_steps; ++step) {
        auto const& current = at->second;
        role.is_title = role.is_title || current.role.is_title;
        role.is_code = role.is_code || current.role.is_code;
        if (current.has_level) {
            role.heading = current.role.heading;
            break;
        }
        at = styles_.find(current.based_on);
    }
    return role;
}

void docx_title::text(std::string_view piece) {
    if (is_open_ && title_.size() < longest_core_title) title_ += piece;
}

void docx_body::begin(
    std::string_view name, formats::html_attributes const& attributes, std::size_t level
) {
    if (unread_from_ > 0 || writer_.is_full()) return;
    if (base::is_among(unread_parts, name)) {
        unread_from_ = level;
        return;
    }
    if (name == "p") open_.emplace_back();
    if (name == "pPr") in_properties_ = true;
    if (name == "tbl") {
        end_code_block();
        ++tables_;
        writer_.begin_table();
    }
    if (name == "tr") writer_.begin_row();
    if (name == "tc") writer_.begin_cell();
    in_text_ = name == "t";
    if (open_.empty()) return;
    if (in_properties_) return begin_property(name, value_in(attributes));
    if (name == "tab" || name == "ptab") open_.back().text += '\t';
    if (name == "br" || name == "cr") open_.back().text += '\n';
    if (name == "noBreakHyphen") open_.back().text += '-';
}

void docx_body::begin_property(std::string_view name, std::string_view value) {
    auto& current = open_.back();
    if (name == "pStyle") current.style = value.substr(0, longest_style_name);
    if (name == "outlineLvl") current.outline = heading_of_outline(value);
    // 0 takes a paragraph out of the list of its style.
    if (name == "numId") current.is_item = value != "0";
    if (name == "ilvl")
        current.item_level = static_cast<std::size_t>(std::max(0, number_in(value, 0)));
}

void docx_body::text(std::string_view piece) {
    if (unread_from_ > 0 || !in_text_ || open_.empty()) return;
    auto& words = open_.back().text;
    words += piece.substr(0, writer_.room() - std::min(writer_.room(), words.size()));
}

void docx_body::end(std::string_view name, std::size_t level) {
    bool const was_read = unread_from_ == 0;
    if (unread_from_ == level) unread_from_ = 0;
    if (!was_read) return;
    in_text_ = false;
    if (name == "pPr") in_properties_ = false;
    if (name == "p" && !open_.empty()) {
        auto const ended = std::move(open_.back());
        open_.pop_back();
        write(ended);
    }
    if (name == "tc") {
        end_code_block();
        writer_.end_cell();
    }
    if (name == "tr") writer_.end_row();
    if (name == "tbl" && tables_ > 0) {
        --tables_;
        writer_.end_table();
    }
    if (name == "body") end_code_block();
}

void docx_body::write(paragraph const& ended) {
    auto const role = styles_.role_of(ended.style);
    if (role.is_code && tables_ == 0) {
        if (!in_code_) writer_.begin_code();
        in_code_ = true;
        writer_.write_verbatim(ended.text);
        writer_.write_verbatim("\n");
        return;
    }
    end_code_block();
    if (role.is_title) writer_.set_title(ended.text);
    auto const level = ended.outline > 0 ? ended.outline : role.heading;
    if (level > 0) {
        writer_.begin_heading(level);
        writer_.write(ended.text);
        return writer_.end_heading();
    }
    if (ended.is_item)
        writer_.begin_item("- ", ended.item_level);
    else
        writer_.end_line(2);
    for (std::string_view rest(ended.text); !rest.empty();) {
        auto const end = rest.find('\n');
        writer_.write(rest.substr(0, end));
        if (end != rest.npos) writer_.end_line(1);
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    writer_.end_line(ended.is_item ? 1 : 2);
}

void docx_body::end_code_block() {
    if (in_code_) writer_.end_code();
    in_code_ = false;
}

} // namespace postrider::agent::knowledge
