#include "agent/tools/html_text.hpp"

#include "base/ascii.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <libxml/HTMLparser.h>
#include <new>
#include <vector>

namespace postrider::agent {

namespace {

using namespace std::string_view_literals;

// Beyond it a page is not made for readers; the parser's work for an end tag grows with it.
constexpr std::size_t most_levels = 256;
// Of a tag that is not complete yet, at most. The parser compares each attribute with all before it.
constexpr std::ptrdiff_t most_attributes = 4000;
// Longer than the beginning of any end tag that ends a script or a style.
constexpr std::size_t tail_bytes = 16;

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

std::string_view view(xmlChar const* text) {
    return text ? std::string_view(reinterpret_cast<char const*>(text)) : std::string_view();
}

std::string_view attribute(xmlChar const** attributes, std::string_view name) {
    for (; attributes && attributes[0]; attributes += 2)
        if (view(attributes[0]) == name) return view(attributes[1]);
    return {};
}

bool has_attribute(xmlChar const** attributes, std::string_view name) {
    for (; attributes && attributes[0]; attributes += 2)
        if (view(attributes[0]) == name) return true;
    return false;
}

bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
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

bool is_hidden(xmlChar const** attributes) {
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
            if (is_space(c) && !as_is) {
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

struct html_text::state {
    state();
    ~state() {
        if (parser) htmlFreeParserCtxt(parser);
    }

    void begin(std::string_view name, xmlChar const** attributes);
    void end(std::string_view name);
    void text(std::string_view piece) {
        if (unread_from == 0) out.write(piece, preformatted > 0);
    }

    static state& of(void* self) { return *static_cast<state*>(self); }
    static void begin_element(void* self, xmlChar const* name, xmlChar const** attributes) {
        of(self).begin(view(name), attributes);
    }
    static void end_element(void* self, xmlChar const* name) { of(self).end(view(name)); }
    static void take_text(void* self, xmlChar const* text, int size) {
        of(self).text({reinterpret_cast<char const*>(text), static_cast<std::size_t>(size)});
    }
    // Pages are full of mistakes.
    static void ignore_mistake(void*, char const*, ...) {}

    void parse(std::string_view piece) {
        htmlParseChunk(parser, piece.data(), static_cast<int>(piece.size()), 0);
    }
    // Of a tag that waits for its end.
    bool has_too_many_attributes() const {
        auto const name = view(parser->name);
        if (name == "script" || name == "style") return false;
        std::string_view const rest(
            reinterpret_cast<char const*>(parser->input->cur),
            static_cast<std::size_t>(parser->input->end - parser->input->cur)
        );
        if (rest.size() < 2 || rest[0] != '<' || rest[1] == '!') return false;
        return std::ranges::count_if(rest, [](char c) {
                   return c == '"' || c == '\'' || is_space(c);
               }) > most_attributes;
    }

    htmlSAXHandler handlers{};
    htmlParserCtxtPtr parser = nullptr;
    std::string tail; // of what was read, not parsed yet
    writer out;
    std::size_t level = 0;
    std::size_t unread_from = 0; // the level of the outermost element that is not read; 0 = none
    int preformatted = 0;
    std::vector<std::string> links; // of the open <a>
};

html_text::state::state() {
    handlers.startElement = begin_element;
    handlers.endElement = end_element;
    handlers.characters = take_text;
    handlers.ignorableWhitespace = take_text;
    handlers.warning = ignore_mistake;
    handlers.error = ignore_mistake;
    parser = htmlCreatePushParserCtxt(&handlers, this, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8);
    if (!parser) throw std::bad_alloc();
    // The text is UTF-8 by now, whatever the page says of itself.
    htmlCtxtUseOptions(parser, HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC | HTML_PARSE_RECOVER);
    // A page that began with an end tag would be over.
    parse("<html>");
}

void html_text::state::begin(std::string_view name, xmlChar const** attributes) {
    if (++level > most_levels) {
        xmlStopParser(parser);
        return;
    }
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

void html_text::state::end(std::string_view name) {
    bool const was_read = unread_from == 0;
    if (unread_from == level) unread_from = 0;
    if (level > 0) --level;
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
    auto& tail = state_->tail;
    tail += piece;
    // An end tag that comes in two pieces would not end its script.
    auto const last = tail.rfind('<');
    auto const held = last != tail.npos && tail.size() - last < tail_bytes ? last : tail.size();
    if (state_->has_too_many_attributes()) xmlStopParser(state_->parser);
    state_->parse(std::string_view(tail).substr(0, held));
    tail.erase(0, held);
}

std::string html_text::finish() {
    state_->parse(state_->tail);
    htmlParseChunk(state_->parser, nullptr, 0, 1);
    return base::as_utf8(state_->out.take());
}

} // namespace postrider::agent
