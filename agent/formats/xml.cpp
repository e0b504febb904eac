#include "agent/formats/xml.hpp"

#include "base/json/text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <libxml/xmlreader.h>
#include <memory>
#include <vector>

namespace postrider::agent::formats {

namespace json = boost::json;

namespace {

struct reader_deleter {
    void operator()(xmlTextReaderPtr reader) const noexcept { xmlFreeTextReader(reader); }
};
using reader_owner = std::unique_ptr<xmlTextReader, reader_deleter>;

std::string_view view_of(xmlChar const* text) {
    return text ? std::string_view(reinterpret_cast<char const*>(text)) : std::string_view();
}

struct open_element {
    std::string name;
    json::object members = {};
    std::string text = {};
};

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
}

void add_member(json::object& to, std::string_view name, json::value value, bool is_list) {
    auto* present = to.if_contains(name);
    if (!present) {
        to.emplace(name, is_list ? json::value(json::array{std::move(value)}) : std::move(value));
        return;
    }
    // A list holds elements only: an element's own value is never an array.
    if (!present->is_array()) *present = json::array{std::move(*present)};
    present->get_array().push_back(std::move(value));
}

json::value value_of(open_element element) {
    if (element.members.empty()) return json::value(element.text);
    if (!is_blank(element.text)) element.members["#text"] = element.text;
    return std::move(element.members);
}

class xml_builder {
public:
    explicit xml_builder(std::span<std::string const> lists) : lists_(lists) {
        open_.push_back({.name = ""});
    }

    bool is_over() const { return nodes_ > most_xml_nodes || open_.size() > most_xml_levels + 1; }

    void take(xmlTextReaderPtr reader) {
        switch (xmlTextReaderNodeType(reader)) {
        case XML_READER_TYPE_ELEMENT:
            begin(reader);
            break;
        case XML_READER_TYPE_END_ELEMENT:
            end();
            break;
        case XML_READER_TYPE_TEXT:
        case XML_READER_TYPE_CDATA:
        case XML_READER_TYPE_WHITESPACE:
        case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
            open_.back().text += view_of(xmlTextReaderConstValue(reader));
            break;
        default:
            break;
        }
    }

    json::value finish() && { return std::move(open_.front().members); }

private:
    void begin(xmlTextReaderPtr reader) {
        ++nodes_;
        bool const is_empty = xmlTextReaderIsEmptyElement(reader) == 1;
        open_.push_back({.name = std::string(view_of(xmlTextReaderConstName(reader)))});
        while (xmlTextReaderMoveToNextAttribute(reader) == 1 && ++nodes_ <= most_xml_nodes)
            open_.back().members["@" + std::string(view_of(xmlTextReaderConstName(reader)))] =
                view_of(xmlTextReaderConstValue(reader));
        if (is_empty) end();
    }

    void end() {
        auto element = std::move(open_.back());
        open_.pop_back();
        auto const name = element.name;
        bool const is_list = std::ranges::find(lists_, name) != lists_.end();
        add_member(open_.back().members, name, value_of(std::move(element)), is_list);
    }

    std::span<std::string const> lists_;
    std::vector<open_element> open_; // the first one is the document
    std::size_t nodes_ = 0;
};

bool is_name(std::string_view name) {
    auto const starts = [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    };
    auto const continues = [&](unsigned char c) {
        return starts(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
    };
    return !name.empty() && starts(static_cast<unsigned char>(name.front())) &&
           std::ranges::all_of(name, continues);
}

class xml_writer {
public:
    // Why it cannot be written; "" = it is.
    std::string write(std::string_view name, json::value const& value) {
        if (!is_name(name)) return fmt::format("\"{}\" is no name of an element", name);
        if (auto const* list = value.if_array()) {
            for (auto const& element : *list) {
                if (element.is_array()) return fmt::format("{} holds a list in a list", name);
                if (auto reason = write(name, element); !reason.empty()) return reason;
            }
            return {};
        }
        auto const* members = value.if_object();
        text_.append("<").append(name);
        if (members)
            if (auto reason = write_attributes(*members); !reason.empty()) return reason;
        auto const behind_tag = text_.size();
        text_ += '>';
        if (auto reason = members ? write_members(*members) : write_text(value); !reason.empty())
            return reason;
        if (text_.size() == behind_tag + 1)
            text_.insert(behind_tag, "/");
        else
            text_.append("</").append(name).append(">");
        return {};
    }

    std::string take() { return std::move(text_); }

private:
    std::string write_attributes(json::object const& members) {
        for (auto const& [key, value] : members) {
            std::string_view const name(key);
            if (!name.starts_with('@')) continue;
            if (!is_name(name.substr(1)) || value.is_structured())
                return fmt::format("\"{}\" is no attribute", name);
            text_.append(" ").append(name.substr(1)).append("=\"");
            if (auto reason = write_text(value); !reason.empty()) return reason;
            text_ += '"';
        }
        return {};
    }

    std::string write_members(json::object const& members) {
        for (auto const& [key, value] : members) {
            std::string_view const name(key);
            if (name.starts_with('@')) continue;
            if (name == "#text" && value.is_structured()) return "#text must be a text";
            auto reason = name == "#text" ? write_text(value) : write(name, value);
            if (!reason.empty()) return reason;
        }
        return {};
    }

    std::string write_text(json::value const& value) {
        if (value.is_null()) return {};
        auto const* text = value.if_string();
        for (char const c : text ? std::string(*text) : base::json_text(value)) {
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r')
                return "XML has no control characters";
            text_ += c == '&'    ? "&amp;"
                     : c == '<'  ? "&lt;"
                     : c == '>'  ? "&gt;"
                     : c == '"'  ? "&quot;"
                     : c == '\r' ? "&#13;"
                                 : std::string(1, c);
        }
        return {};
    }

    std::string text_;
};

} // namespace

base::result<json::value> xml_to_json(std::string_view text, std::span<std::string const> lists) {
    using base::errc;
    if (text.size() > most_xml_bytes)
        return base::error(errc::too_large, fmt::format("more than {} bytes", most_xml_bytes));
    if (text.empty()) return base::error(errc::invalid, "an empty text is no well-formed XML");
    if (auto const scanned = xml_mark_scanner().read(text); !scanned) return scanned.error();
    // No option that loads, or that puts an entity's text into the document.
    constexpr int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                            XML_PARSE_IGNORE_ENC; // it is UTF-8 by now
    auto const size = static_cast<int>(text.size());
    reader_owner const reader(xmlReaderForMemory(text.data(), size, nullptr, "UTF-8", options));
    if (!reader) throw std::bad_alloc();
    xml_builder builder(lists);
    int state = xmlTextReaderRead(reader.get());
    for (; state == 1; state = xmlTextReaderRead(reader.get())) {
        if (xmlTextReaderNodeType(reader.get()) == XML_READER_TYPE_DOCUMENT_TYPE)
            return xml_mark_scanner::document_type_error();
        builder.take(reader.get());
        if (builder.is_over())
            return base::error(
                errc::too_large,
                fmt::format("more than {} nodes or {} levels", most_xml_nodes, most_xml_levels)
            );
    }
    if (state < 0)
        return base::error(
            errc::invalid,
            fmt::format(
                "line {} is no well-formed XML", xmlTextReaderGetParserLineNumber(reader.get())
            )
        );
    return std::move(builder).finish();
}

base::result<std::string> json_to_xml(json::value const& document) {
    auto const* members = document.if_object();
    if (!members || members->size() != 1 || members->begin()->value().is_array())
        return base::error(
            base::errc::invalid, "a document is an object with one member, its root"
        );
    xml_writer writer;
    auto reason = writer.write(members->begin()->key(), members->begin()->value());
    if (!reason.empty()) return base::error(base::errc::invalid, std::move(reason));
    return writer.take();
}

} // namespace postrider::agent::formats
