#include "agent/formats/feed.hpp"

#include "agent/formats/html_tree.hpp"
#include "agent/formats/mail_date.hpp"
#include "agent/formats/xml.hpp"
#include "base/json/json.hpp"
#include "base/utf8.hpp"

#include <array>
#include <initializer_list>
#include <set>

namespace postrider::agent::formats {

namespace {

std::string_view trimmed_text(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    auto const begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// An element's text, whether it has attributes or not.
std::string text_in(base::json_reader const& element) {
    auto const text = element.is_string() ? element.string_or("") : element["#text"].string_or("");
    return std::string(trimmed_text(text));
}

// The first of these members that says something.
std::string first_text(
    base::json_reader const& entry, std::initializer_list<std::string_view> names
) {
    for (auto const name : names) {
        auto const member = entry[name];
        auto const all = member.items_or_none();
        auto text = text_in(all.empty() ? member : all.front());
        if (!text.empty()) return text;
    }
    return {};
}

// Titles and summaries are HTML in most feeds, whatever they say.
std::string plain_text(std::string const& html) {
    auto const page = read_html(html);
    auto text = page && !page->empty() ? text_within(*page, 0) : std::string();
    return std::string(base::cut_at_character(text, longest_feed_text));
}

std::string instant_text(std::string const& text) {
    auto instant = base::from_iso8601(text);
    if (!instant && text.size() == base::date_size)
        instant = base::from_iso8601(text + "T00:00:00Z");
    if (!instant) instant = read_mail_date(text);
    return instant ? base::to_iso8601(*instant) : std::string();
}

// Of RSS a text; of Atom the one of several that leads to the entry itself.
std::string link_in(base::json_reader const& entry) {
    for (auto const& link : entry["link"].items_or_none()) {
        auto const address = link["@href"].string_or("");
        if (address.empty()) {
            if (auto text = text_in(link); !text.empty()) return text;
        } else if (link["@rel"].string_or("alternate") == "alternate") {
            return address;
        }
    }
    return {};
}

feed_entry read_xml_entry(base::json_reader const& entry) {
    return {
        .id = first_text(entry, {"guid", "id", "@rdf:about"}),
        .title = plain_text(first_text(entry, {"title"})),
        .link = link_in(entry),
        .published =
            instant_text(first_text(entry, {"pubDate", "published", "dc:date", "updated", "date"})),
        .summary =
            plain_text(first_text(entry, {"description", "summary", "content", "content:encoded"})),
    };
}

feed_entry read_json_entry(base::json_reader const& entry) {
    auto const number = entry["id"].int64_or(0);
    return {
        .id = number != 0 ? std::to_string(number) : first_text(entry, {"id"}),
        .title = plain_text(first_text(entry, {"title"})),
        .link = first_text(entry, {"url", "external_url"}),
        .published = instant_text(first_text(entry, {"date_published", "date_modified"})),
        .summary = plain_text(first_text(entry, {"summary", "content_text", "content_html"})),
    };
}

std::vector<feed_entry> read_entries(
    std::vector<base::json_reader> const& all, feed_entry (*read)(base::json_reader const&)
) {
    std::vector<feed_entry> entries;
    std::set<std::string> known;
    for (auto const& element : all) {
        if (entries.size() == most_feed_entries) break;
        auto entry = read(element);
        if (entry.id.empty()) entry.id = entry.link.empty() ? entry.title : entry.link;
        if (entry.id.empty() || !known.insert(entry.id).second) continue;
        entries.push_back(std::move(entry));
    }
    return entries;
}

base::error no_feed() {
    return {base::errc::invalid, "this is no RSS, Atom or JSON Feed"};
}

base::result<std::vector<feed_entry>> read_json_feed(std::string_view text) {
    auto const parsed = base::parse_json(text);
    if (!parsed) return no_feed();
    base::json_reader const root(*parsed);
    bool const is_feed =
        root["version"].string_or("").starts_with("https://jsonfeed.org/") || root["items"];
    if (!is_feed) return no_feed();
    return read_entries(root["items"].items_or_none(), read_json_entry);
}

} // namespace

base::result<std::vector<feed_entry>> read_feed(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    text = trimmed_text(text);
    if (text.starts_with('{')) return read_json_feed(text);
    static std::array<std::string, 3> const lists{"item", "entry", "link"};
    auto const document = xml_to_json(text, lists);
    if (!document && document.error() == base::errc::too_large) return document.error();
    if (!document)
        return base::error(base::errc::invalid, no_feed().detail + ": " + document.error().detail);
    base::json_reader const root(*document);
    for (auto const& items :
         {root["rss"]["channel"]["item"], root["rdf:RDF"]["item"], root["feed"]["entry"]})
        if (items) return read_entries(items.items_or_none(), read_xml_entry);
    if (root["rss"]["channel"] || root["rdf:RDF"] || root["feed"]) return std::vector<feed_entry>{};
    return no_feed();
}

} // namespace postrider::agent::formats
