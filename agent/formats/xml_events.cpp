#include "agent/formats/xml_events.hpp"

#include "agent/formats/xml_marks.hpp"

#include <fmt/format.h>

#include <libxml/parser.h>
#include <new>

namespace postrider::agent::formats {

namespace {

// What the parser gets at once: it holds a few of these.
constexpr std::size_t xml_piece_bytes = 16u << 10;

std::string_view xml_view(xmlChar const* text) {
    return text ? std::string_view(reinterpret_cast<char const*>(text)) : std::string_view();
}

std::string_view without_prefix(std::string_view name) {
    return name.substr(name.find(':') + 1); // npos + 1 is 0
}

} // namespace

struct xml_events::state {
    explicit state(html_handler& target);
    ~state() {
        if (parser) xmlFreeParserCtxt(parser);
    }

    static state& of(void* self) { return *static_cast<state*>(self); }
    static void begin_element(void* self, xmlChar const* name, xmlChar const** attributes) {
        of(self).begin(xml_view(name), attributes);
    }
    static void end_element(void* self, xmlChar const* name) {
        auto& events = of(self);
        if (events.is_stopped) return;
        events.handler.end(without_prefix(xml_view(name)), events.level--);
    }
    static void take_text(void* self, xmlChar const* text, int size) {
        auto& events = of(self);
        if (events.is_stopped) return;
        events.handler.text({reinterpret_cast<char const*>(text), static_cast<std::size_t>(size)});
    }
    static void ignore_mistake(void*, char const*, ...) {}

    void begin(std::string_view name, xmlChar const** attributes) {
        if (is_stopped) return;
        if (level == most_xml_event_levels) {
            is_nested_too_deep = is_stopped = true;
            xmlStopParser(parser);
            return;
        }
        html_attributes named;
        for (; attributes && attributes[0]; attributes += 2)
            named.emplace_back(without_prefix(xml_view(attributes[0])), xml_view(attributes[1]));
        handler.begin(without_prefix(name), named, ++level);
    }
    base::result<void> parse(std::string_view piece, bool is_last);

    html_handler& handler;
    xmlSAXHandler callbacks{};
    xmlParserCtxtPtr parser = nullptr;
    xml_mark_scanner marks;
    std::size_t level = 0;
    bool is_nested_too_deep = false;
    bool is_stopped = false;
};

xml_events::state::state(html_handler& target) : handler(target) {
    // The first version of the callbacks: names come with their prefixes, whatever those stand for. None that
    // declares or finds an entity, so there are none but those of XML itself.
    callbacks.startElement = begin_element;
    callbacks.endElement = end_element;
    callbacks.characters = take_text;
    callbacks.cdataBlock = take_text;
    callbacks.ignorableWhitespace = take_text;
    callbacks.warning = ignore_mistake;
    callbacks.error = ignore_mistake;
    parser = xmlCreatePushParserCtxt(&callbacks, this, nullptr, 0, nullptr);
    if (!parser) throw std::bad_alloc();
    if (xmlCtxtResetPush(parser, nullptr, 0, nullptr, "UTF-8") != 0) throw std::bad_alloc();
    // The text is UTF-8, whatever its declaration says. "NOENT" is for & in the values of attributes.
    constexpr int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                            XML_PARSE_IGNORE_ENC | XML_PARSE_NOENT;
    xmlCtxtUseOptions(parser, options);
}

base::result<void> xml_events::state::parse(std::string_view piece, bool is_last) {
    using base::errc;
    xmlParseChunk(parser, piece.data(), static_cast<int>(piece.size()), is_last ? 1 : 0);
    if (is_nested_too_deep)
        return base::error(
            errc::too_large, fmt::format("more than {} levels", most_xml_event_levels)
        );
    if (parser->wellFormed == 1) return {};
    is_stopped = true;
    auto const line = parser->input ? parser->input->line : 0;
    return base::error(errc::invalid, fmt::format("line {} is no well-formed XML", line));
}

xml_events::xml_events(html_handler& handler) : state_(std::make_unique<state>(handler)) {}
xml_events::~xml_events() = default;

base::result<void> xml_events::read(std::string_view text) {
    while (!text.empty()) {
        auto const piece = text.substr(0, xml_piece_bytes);
        text.remove_prefix(piece.size());
        if (auto marks = state_->marks.read(piece); !marks) {
            state_->is_stopped = true;
            return marks;
        }
        if (auto parsed = state_->parse(piece, false); !parsed) return parsed;
    }
    return {};
}

base::result<void> xml_events::finish() {
    return state_->parse({}, true);
}

} // namespace postrider::agent::formats
