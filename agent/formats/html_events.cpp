#include "agent/formats/html_events.hpp"

#include <algorithm>
#include <libxml/HTMLparser.h>
#include <new>
#include <string>

namespace postrider::agent::formats {

namespace {

// Beyond it a page is not made for readers; the parser's work for an end tag grows with it.
constexpr std::size_t most_levels = 256;
// Blanks and quotes of a tag, at most: it has no more attributes. The parser compares each attribute with all
// before it, so what counts for the page is the sum of their squares.
constexpr std::size_t most_separators = 4000;
constexpr std::size_t most_attribute_comparisons = 100'000'000;
// What the parser gets at once: the attributes of a tag within it are soon compared. Longer tags are held until
// they are complete: the parser would forget which quotes are open where a tag comes in two pieces.
constexpr std::size_t piece_bytes = 512;
constexpr std::size_t longest_piece = 4096; // behind a tag that is held
// Longer than the beginning of any end tag that ends a script or a style.
constexpr std::size_t tail_bytes = 16;

std::string_view html_view(xmlChar const* text) {
    return text ? std::string_view(reinterpret_cast<char const*>(text)) : std::string_view();
}

bool begins_tag(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '?';
}

// Behind the tag that begins there, or behind its sign where it is none. npos: it is not complete.
std::size_t end_of_tag(std::string_view text, std::size_t begin) {
    if (begin + 1 == text.size()) return text.npos;
    if (!begins_tag(text[begin + 1])) return begin + 1;
    char quote = 0;
    for (auto at = begin + 1; at < text.size(); ++at) {
        char const c = text[at];
        if (quote != 0)
            quote = c == quote ? char{0} : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '>')
            return at + 1;
    }
    return text.npos;
}

// Where a tag begins that is not complete, or the text's end.
std::size_t end_of_complete_tags(std::string_view text) {
    for (std::size_t at = 0;;) {
        auto const begin = text.find('<', at);
        if (begin == text.npos) return text.size();
        at = end_of_tag(text, begin);
        if (at == text.npos) return begin;
    }
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
    // Of the unread text: what the parser gets now.
    std::size_t size_to_parse() const {
        auto const name = html_view(parser->name);
        if (name != "script" && name != "style") return end_of_complete_tags(unread_text);
        // An end tag that comes in two pieces would not end its script.
        auto const last = unread_text.rfind('<');
        bool const may_end_it = last != unread_text.npos && unread_text.size() - last < tail_bytes;
        return may_end_it ? last : unread_text.size();
    }
    // True: the tag that is held, and those before it, are too much work.
    bool has_too_many_attributes() {
        auto const earlier = is_held ? separators : 0;
        is_held = !unread_text.empty();
        separators = static_cast<std::size_t>(std::ranges::count_if(unread_text, [](char c) {
            return c == '"' || c == '\'' || is_html_space(c);
        }));
        if (separators > earlier) comparisons += separators * separators - earlier * earlier;
        return separators > most_separators || comparisons > most_attribute_comparisons;
    }

    html_handler& handler;
    htmlSAXHandler callbacks{};
    htmlParserCtxtPtr parser = nullptr;
    std::string unread_text; // that the parser did not get
    std::size_t level = 0;
    bool is_held = false;        // it begins with a tag that is not complete
    std::size_t separators = 0;  // in it
    std::size_t comparisons = 0; // of all tags that were held, at most
    bool is_stopped = false;
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

void html_events::read(std::string_view text) {
    auto& rest = state_->unread_text;
    while (!text.empty() && !state_->is_stopped) {
        auto const most = std::clamp(rest.size(), piece_bytes, longest_piece);
        rest += text.substr(0, most);
        text.remove_prefix(std::min(text.size(), most));
        auto const size = state_->size_to_parse();
        state_->parse(std::string_view(rest).substr(0, size));
        if (size > 0) state_->is_held = false;
        rest.erase(0, size);
        if (state_->has_too_many_attributes()) end_here();
    }
}

void html_events::finish() {
    if (!state_->is_stopped) state_->parse(state_->unread_text);
    htmlParseChunk(state_->parser, nullptr, 0, 1);
}

// What stands before it is still told: the parser holds a text until it knows what follows.
void html_events::end_here() {
    htmlParseChunk(state_->parser, nullptr, 0, 1);
    stop();
}

void html_events::stop() {
    state_->is_stopped = true;
    xmlStopParser(state_->parser);
}

} // namespace postrider::agent::formats
