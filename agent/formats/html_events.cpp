#include "agent/formats/html_events.hpp"

#include <algorithm>
#include <libxml/HTMLparser.h>
#include <new>
#include <string>

namespace postrider::agent::formats {

namespace {

// Beyond it a page is not made for readers; the parser's work for an end tag grows with it.
constexpr std::size_t most_levels = 256;
// Of a tag that is not complete yet, at most. The parser compares each attribute with all before it.
constexpr std::ptrdiff_t most_attributes = 4000;
// Longer than the beginning of any end tag that ends a script or a style.
constexpr std::size_t tail_bytes = 16;

std::string_view html_view(xmlChar const* text) {
    return text ? std::string_view(reinterpret_cast<char const*>(text)) : std::string_view();
}

} // namespace

struct html_events::state {
    explicit state(html_handler& handler);
    ~state() {
        if (parser) htmlFreeParserCtxt(parser);
    }

    static state& of(void* self) { return *static_cast<state*>(self); }
    static void begin_element(void* self, xmlChar const* name, xmlChar const** attributes) {
        of(self).begin(html_view(name), attributes);
    }
    static void end_element(void* self, xmlChar const* name) { of(self).end(html_view(name)); }
    static void take_text(void* self, xmlChar const* text, int size) {
        of(self).handler.text({reinterpret_cast<char const*>(text), static_cast<std::size_t>(size)}
        );
    }
    // Pages are full of mistakes.
    static void ignore_mistake(void*, char const*, ...) {}

    void begin(std::string_view name, xmlChar const** attributes) {
        if (++level > most_levels) {
            xmlStopParser(parser);
            return;
        }
        html_attributes all;
        for (; attributes && attributes[0]; attributes += 2)
            all.emplace_back(html_view(attributes[0]), html_view(attributes[1]));
        handler.begin(name, all, level);
    }
    void end(std::string_view name) {
        if (level <= most_levels) handler.end(name, level);
        if (level > 0) --level;
    }
    void parse(std::string_view piece) {
        htmlParseChunk(parser, piece.data(), static_cast<int>(piece.size()), 0);
    }
    // Of a tag that waits for its end.
    bool has_too_many_attributes() const {
        auto const name = html_view(parser->name);
        if (name == "script" || name == "style") return false;
        std::string_view const rest(
            reinterpret_cast<char const*>(parser->input->cur),
            static_cast<std::size_t>(parser->input->end - parser->input->cur)
        );
        if (rest.size() < 2 || rest[0] != '<' || rest[1] == '!') return false;
        return std::ranges::count_if(rest, [](char c) {
                   return c == '"' || c == '\'' || is_html_space(c);
               }) > most_attributes;
    }

    html_handler& handler;
    htmlSAXHandler callbacks{};
    htmlParserCtxtPtr parser = nullptr;
    std::string tail; // of what was read, not parsed yet
    std::size_t level = 0;
};

html_events::state::state(html_handler& target) : handler(target) {
    callbacks.startElement = begin_element;
    callbacks.endElement = end_element;
    callbacks.characters = take_text;
    callbacks.cdataBlock = take_text; // scripts and styles
    callbacks.ignorableWhitespace = take_text;
    callbacks.warning = ignore_mistake;
    callbacks.error = ignore_mistake;
    parser =
        htmlCreatePushParserCtxt(&callbacks, this, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8);
    if (!parser) throw std::bad_alloc();
    // The text is UTF-8 by now, whatever the page says of itself.
    htmlCtxtUseOptions(parser, HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC | HTML_PARSE_RECOVER);
    // A page that began with an end tag would be over.
    parse("<html>");
}

html_events::html_events(html_handler& handler) : state_(std::make_unique<state>(handler)) {}
html_events::~html_events() = default;

void html_events::read(std::string_view piece) {
    auto& tail = state_->tail;
    tail += piece;
    // An end tag that comes in two pieces would not end its script.
    auto const last = tail.rfind('<');
    auto const held = last != tail.npos && tail.size() - last < tail_bytes ? last : tail.size();
    if (state_->has_too_many_attributes()) stop();
    state_->parse(std::string_view(tail).substr(0, held));
    tail.erase(0, held);
}

void html_events::finish() {
    state_->parse(state_->tail);
    htmlParseChunk(state_->parser, nullptr, 0, 1);
}

void html_events::stop() {
    xmlStopParser(state_->parser);
}

} // namespace postrider::agent::formats
