#include "agent/tools/tool_output.hpp"

#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "base/utf8.hpp"
#include "net/base64.hpp"

#include <fmt/format.h>

namespace postrider::agent {

namespace json = boost::json;

namespace {

// In place of what is left out.
std::string note_of_missing(std::size_t bytes) {
    return fmt::format("\n[{} more bytes are not shown]", bytes);
}

void describe_media(tool_output& output) {
    std::vector<tool_media> kept_media;
    std::size_t total = 0;
    for (auto& part : output.media) {
        auto const size = part.bytes.size();
        bool const fits = total + size <= media_limit;
        if (!output.text.empty()) output.text += '\n';
        output.text +=
            fmt::format("[{}, {} bytes{}]", part.type, size, fits ? "" : ", too large to be kept");
        if (!fits) continue;
        total += size;
        kept_media.push_back(std::move(part));
    }
    output.media = std::move(kept_media);
}

json::array to_json(std::vector<tool_media> const& media) {
    json::array all;
    for (auto const& part : media)
        all.push_back(json::object{{"type", part.type}, {"base64", net::to_base64(part.bytes)}});
    return all;
}

json::array to_json(std::vector<receipt> const& receipts) {
    json::array list;
    for (auto const& change : receipts)
        list.push_back(json::object{
            {"action", change.action},
            {"kind", change.kind},
            {"id", change.id},
            {"words", change.words}});
    return list;
}

} // namespace

std::string cut_to(std::string text, std::size_t limit) {
    text = base::as_utf8(std::move(text));
    if (text.size() <= limit) return text;
    // The number grows with what is cut; its digits never outgrow those of the whole.
    auto const room = note_of_missing(text.size()).size();
    auto const kept = base::cut_at_character(text, limit > room ? limit - room : 0).size();
    auto const note = note_of_missing(text.size() - kept);
    text.resize(kept);
    return text + note;
}

tool_output within(tool_output output, std::size_t limit) {
    if (!output.value.is_null()) {
        auto written = base::json_text(output.value);
        if (written.size() > limit) output.value = nullptr;
        if (output.text.empty()) output.text = std::move(written);
    }
    describe_media(output);
    output.text = cut_to(std::move(output.text), limit);
    return output;
}

json::value to_json(tool_output const& output) {
    bool const is_text = output.value.is_null() && output.media.empty() && output.receipts.empty();
    if (is_text && !output.is_reported) return json::value(output.text);
    json::object recorded{{"text", output.text}};
    if (!output.value.is_null()) recorded["value"] = output.value;
    if (!output.media.empty()) recorded["media"] = to_json(output.media);
    if (!output.receipts.empty()) recorded["receipts"] = to_json(output.receipts);
    if (output.is_reported) recorded["reported"] = true;
    return recorded;
}

base::result<tool_output> tool_output_from_json(json::value const& recorded) {
    if (recorded.is_string()) return tool_output(std::string(recorded.get_string()));
    base::json_reader const from{recorded};
    tool_output output(from["text"].string());
    if (auto const* value = from["value"].raw()) output.value = *value;
    for (auto const& part : from["media"].items_or_none()) {
        auto bytes = net::from_base64(part["base64"].string());
        if (!bytes) return base::error(base::errc::invalid, "media of a tool are not base64");
        output.media.push_back({part["type"].string(), std::move(*bytes)});
    }
    for (auto const& change : from["receipts"].items_or_none()) {
        output.receipts.push_back(
            {change["action"].string(),
             change["kind"].string(),
             change["id"].string(),
             change["words"].string()}
        );
    }
    output.is_reported = from["reported"].boolean_or(false);
    if (from.failed()) return from.failure();
    return output;
}

} // namespace postrider::agent
