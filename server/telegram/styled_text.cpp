#include "server/telegram/styled_text.hpp"

#include "base/html.hpp"

#include <algorithm>
#include <array>

namespace postrider::telegram {

namespace {

struct tag_pair {
    std::string_view opening;
    std::string_view closing;
};

constexpr tag_pair tags_of(text_style style) {
    using enum text_style;
    switch (style) {
    case bold:
        return {"<b>", "</b>"};
    case italic:
        return {"<i>", "</i>"};
    case strike:
        return {"<s>", "</s>"};
    case spoiler:
        return {"<tg-spoiler>", "</tg-spoiler>"};
    case code:
        return {"<code>", "</code>"};
    case block:
        return {"<pre>", "</pre>"};
    case link:
        return {"<a>", "</a>"};
    case quote:
        return {"<blockquote>", "</blockquote>"};
    }
    return {};
}

std::string opening_of(styled_span const& span) {
    if (span.style == text_style::link)
        return "<a href=\"" + base::html_escaped(span.detail) + "\">";
    if (span.style == text_style::block && !span.detail.empty())
        return "<pre><code class=\"language-" + base::html_escaped(span.detail) + "\">";
    return std::string(tags_of(span.style).opening);
}

std::string closing_of(styled_span const& span) {
    if (span.style == text_style::block && !span.detail.empty()) return "</code></pre>";
    return std::string(tags_of(span.style).closing);
}

using open_spans = std::vector<styled_span const*>;

// Telegram shows so many of a message and leaves out the others, whichever they are.
constexpr std::size_t most_entities = 100;

// A lost address is worse than a lost style.
void keep_links(open_spans& spans) {
    auto excess = spans.size() - std::min(spans.size(), most_entities);
    for (auto span = spans.rbegin(); span != spans.rend() && excess > 0; ++span) {
        if ((*span)->style == text_style::link) continue;
        *span = nullptr;
        --excess;
    }
    std::erase(spans, nullptr);
}

bool has(open_spans const& spans, text_style style) {
    return std::ranges::any_of(spans, [&](auto const* span) { return span->style == style; });
}

// Those that may be open at the same time: each style once, and around code nothing but a quote.
open_spans allowed(open_spans const& covering) {
    bool const in_block = has(covering, text_style::block);
    bool const in_link = !in_block && has(covering, text_style::link);
    bool const in_code = !in_block && !in_link && has(covering, text_style::code);
    open_spans shown;
    for (auto const* span : covering) {
        using enum text_style;
        bool fits = span->style == quote || !(in_block || in_code);
        if (in_block) fits = fits || span->style == block;
        if (in_code) fits = fits || span->style == code;
        if (in_link) fits = fits && span->style != code;
        if (fits && !has(shown, span->style)) shown.push_back(span);
    }
    return shown;
}

class html_writer {
public:
    explicit html_writer(std::string_view text) : text_(text) {}

    void write(std::size_t begin, std::size_t end, open_spans const& covering) {
        if (begin == end) return;
        auto const shown = allowed(covering);
        auto const [open_end, ignored] = std::ranges::mismatch(open_, shown);
        close_down_to(static_cast<std::size_t>(open_end - open_.begin()));
        for (auto span = open_.size(); span < shown.size() && entities_ < most_entities; ++span) {
            ++entities_; // one that is opened again behind a cut counts again
            html_ += opening_of(*shown[span]);
            open_.push_back(shown[span]);
        }
        html_ += base::html_escaped(text_.substr(begin, end - begin));
    }

    std::string finish() {
        close_down_to(0);
        return std::move(html_);
    }

private:
    void close_down_to(std::size_t depth) {
        for (; open_.size() > depth; open_.pop_back()) html_ += closing_of(*open_.back());
    }

    std::string_view text_;
    open_spans open_;
    std::size_t entities_ = 0;
    std::string html_;
};

} // namespace

std::string html_of(styled_text const& styled, std::size_t begin, std::size_t end) {
    open_spans within;
    std::vector<std::size_t> edges{begin, end};
    for (auto const& span : styled.spans) {
        if (span.begin >= end || span.end <= begin || span.begin >= span.end) continue;
        within.push_back(&span);
        edges.push_back(std::max(span.begin, begin));
        edges.push_back(std::min(span.end, end));
    }
    std::ranges::sort(edges);
    keep_links(within);
    html_writer writer(styled.text);
    open_spans covering;
    auto next = within.begin();
    for (std::size_t edge = 0; edge + 1 < edges.size(); ++edge) {
        std::erase_if(covering, [&](auto const* span) { return span->end <= edges[edge]; });
        for (; next != within.end() && (*next)->begin <= edges[edge]; ++next)
            covering.push_back(*next);
        writer.write(edges[edge], edges[edge + 1], covering);
    }
    return writer.finish();
}

} // namespace postrider::telegram
