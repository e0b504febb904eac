#include "agent/formats/html_tree.hpp"

#include "agent/formats/html_events.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent::formats {

namespace {

using namespace std::string_view_literals;

constexpr std::array raw_elements{"script"sv, "style"sv};
constexpr std::array blocks{
    "address"sv, "article"sv, "aside"sv,  "blockquote"sv, "br"sv,      "dd"sv,     "div"sv,
    "dl"sv,      "dt"sv,      "footer"sv, "form"sv,       "h1"sv,      "h2"sv,     "h3"sv,
    "h4"sv,      "h5"sv,      "h6"sv,     "header"sv,     "hr"sv,      "li"sv,     "main"sv,
    "nav"sv,     "ol"sv,      "p"sv,      "pre"sv,        "section"sv, "table"sv,  "td"sv,
    "th"sv,      "title"sv,   "tr"sv,     "ul"sv,         "option"sv,  "caption"sv};
constexpr std::array void_elements{
    "area"sv,
    "base"sv,
    "br"sv,
    "col"sv,
    "embed"sv,
    "hr"sv,
    "img"sv,
    "input"sv,
    "link"sv,
    "meta"sv,
    "source"sv,
    "track"sv,
    "wbr"sv};

class tree_builder final : public html_handler {
public:
    base::result<html_tree> read(std::string_view page) {
        html_events events(*this);
        events_ = &events;
        events.read(page);
        events.finish();
        if (tree_.size() > most_html_nodes)
            return base::error(
                base::errc::too_large, fmt::format("more than {} elements", most_html_nodes)
            );
        while (!open_.empty()) close();
        return std::move(tree_);
    }

private:
    void begin(std::string_view name, html_attributes const& attributes, std::size_t) override {
        auto const place = add({.name = std::string(name)});
        if (place == no_node) return;
        for (auto const& [key, value] : attributes)
            tree_[place].attributes.emplace_back(key, base::as_utf8(std::string(value)));
        auto const parent = tree_[place].parent;
        if (last_child_.size() <= open_.size()) last_child_.resize(open_.size() + 1, no_node);
        auto& previous = last_child_[open_.size()];
        tree_[place].previous = parent == no_node ? no_node : previous;
        if (tree_[place].previous != no_node) {
            tree_[previous].next = place;
            tree_[place].position = tree_[previous].position + 1;
        }
        previous = place;
        open_.push_back(place);
        last_child_.resize(open_.size() + 1);
        last_child_.back() = no_node;
    }
    void end(std::string_view, std::size_t) override {
        if (!open_.empty()) close();
    }
    void text(std::string_view piece) override {
        if (open_.empty()) return;
        // Long texts come in pieces.
        if (!tree_.empty() && tree_.back().name.empty() && tree_.back().parent == open_.back())
            tree_.back().text += piece;
        else
            add({.name = {}, .text = std::string(piece)});
    }

    std::size_t add(html_node node) {
        if (tree_.size() > most_html_nodes) {
            events_->stop();
            return no_node;
        }
        node.parent = open_.empty() ? no_node : open_.back();
        node.end = tree_.size() + 1;
        tree_.push_back(std::move(node));
        return tree_.size() - 1;
    }
    void close() {
        tree_[open_.back()].end = tree_.size();
        open_.pop_back();
    }

    html_events* events_ = nullptr;
    html_tree tree_;
    std::vector<std::size_t> open_;
    std::vector<std::size_t> last_child_; // of each open element, of the document first
};

void append_escaped(std::string& to, std::string_view text, bool in_attribute) {
    for (char const c : text) {
        if (c == '&')
            to += "&amp;";
        else if (c == '<' && !in_attribute)
            to += "&lt;";
        else if (c == '>' && !in_attribute)
            to += "&gt;";
        else if (c == '"' && in_attribute)
            to += "&quot;";
        else
            to += c;
    }
}

void append_begin(std::string& to, html_node const& element) {
    to.append("<").append(element.name);
    for (auto const& [key, value] : element.attributes) {
        to.append(" ").append(key).append("=\"");
        append_escaped(to, value, true);
        to += '"';
    }
    to += '>';
}

bool is_left_out(left_out const& without, std::size_t node) {
    return std::ranges::binary_search(without, node);
}

} // namespace

std::string const* html_node::attribute(std::string_view key) const noexcept {
    auto const entry =
        std::ranges::find_if(attributes, [&](auto const& pair) { return pair.first == key; });
    return entry == attributes.end() ? nullptr : &entry->second;
}

base::result<html_tree> read_html(std::string_view page) {
    if (page.size() > most_html_bytes)
        return base::error(
            base::errc::too_large, fmt::format("more than {} bytes", most_html_bytes)
        );
    return tree_builder().read(page);
}

std::string text_within(html_tree const& tree, std::size_t element, left_out const& without) {
    std::string text;
    bool is_apart = false;
    std::vector<std::size_t> block_ends;
    for (std::size_t i = element; i < tree[element].end;) {
        auto const& node = tree[i];
        for (; !block_ends.empty() && block_ends.back() <= i; block_ends.pop_back())
            is_apart = true;
        bool const is_unread = i != element && base::is_among(raw_elements, node.name);
        if (is_unread || is_left_out(without, i)) {
            i = node.end;
            continue;
        }
        // What stands in blocks of their own is apart, also without a space between them.
        if (base::is_among(blocks, node.name)) {
            is_apart = true;
            block_ends.push_back(node.end);
        }
        for (char const c : node.text) {
            if (is_html_space(c)) {
                is_apart = true;
                continue;
            }
            if (is_apart && !text.empty()) text += ' ';
            is_apart = false;
            text += c;
        }
        ++i;
    }
    return base::as_utf8(std::move(text));
}

std::string html_within(html_tree const& tree, std::size_t element, left_out const& without) {
    std::string html;
    std::vector<std::size_t> open{element};
    auto const close_until = [&](std::size_t place) {
        for (; open.size() > 1 && tree[open.back()].end <= place; open.pop_back())
            html.append("</").append(tree[open.back()].name).append(">");
    };
    for (std::size_t i = element + 1; i < tree[element].end;) {
        close_until(i);
        auto const& node = tree[i];
        if (is_left_out(without, i)) {
            i = node.end;
            continue;
        }
        if (node.name.empty()) {
            bool const is_raw = base::is_among(raw_elements, tree[node.parent].name);
            if (is_raw)
                html += node.text;
            else
                append_escaped(html, node.text, false);
        } else {
            append_begin(html, node);
            if (!base::is_among(void_elements, node.name)) open.push_back(i);
        }
        ++i;
    }
    close_until(tree[element].end);
    return base::as_utf8(std::move(html));
}

} // namespace postrider::agent::formats
