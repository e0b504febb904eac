// What programs that draw flows keep beside the nodes: notes on the canvas, and pinned items. Only runs of the
// draft use the items; nothing uses the notes.
#include "agent/flow/document/read_parts.hpp"

#include <fmt/format.h>

#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::size_t most_notes = 1000;

constexpr std::string_view note_colors[]{
    "yellow", "orange", "red", "green", "blue", "purple", "gray"};

constexpr text_rule note_id{
    .most = 40,
    .fits = made_of_word_characters,
    .description = "of A-Z, a-z, 0-9, \"_\" and \"-\"",
};

std::string read_note(json::object const& object, std::string path, problem_list& problems) {
    form in(object, std::move(path), "", problems);
    auto id = in.text("id", note_id, presence::required).value_or("");
    in.text("text", prose);
    in.number("x", presence::required);
    in.number("y", presence::required);
    for (auto size : {"width", "height"})
        if (auto const length = in.number(size); length && *length <= 0)
            in.complain(size, "out_of_range", fmt::format("\"{}\" must be more than 0", size));
    in.word("color", note_colors);
    return id;
}

} // namespace

void read_canvas_notes(json::array const& list, problem_list& problems) {
    if (list.size() > most_notes)
        problems.add({
            .code = "out_of_range",
            .path = "/notes",
            .message = fmt::format("there are more than {} notes", most_notes),
        });
    std::set<std::string> ids;
    for (std::size_t i = 0; i < list.size() && i < most_notes; ++i) {
        auto const path = below("/notes", i);
        auto const* object = list[i].if_object();
        if (!object) {
            problems.add({.code = "wrong_type", .path = path, .message = "a note must be an object"}
            );
            continue;
        }
        auto id = read_note(*object, path, problems);
        if (!id.empty() && !ids.insert(std::move(id)).second)
            problems.add({
                .code = "duplicate_id",
                .path = below(path, "id"),
                .message = "another note has this id",
            });
    }
}

void read_pinned(json::object const& pinned, problem_list& problems) {
    for (auto const& [name, items] : pinned) {
        auto const* list = items.if_array();
        bool const fits = list && std::ranges::all_of(*list, [](json::value const& item) {
                              return item.is_object();
                          });
        if (!fits)
            problems.add({
                .code = "wrong_type",
                .path = below("/pinned", std::string_view(name)),
                .message = "pinned items must be a list of objects",
            });
    }
}

} // namespace postrider::agent::flow
