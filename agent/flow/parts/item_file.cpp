#include "agent/flow/parts/item_file.hpp"

#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"
#include "storage/stores/flow_files.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds reading_patience{10};

base::error unknown_file(file_reference const& file) {
    return {
        base::errc::not_found,
        "the file " + file.name + " has expired, or is of another execution"};
}

} // namespace

json::object to_json(file_reference const& file) {
    return {{"id", file.id}, {"name", file.name}, {"mime", file.mime}, {"bytes", file.bytes}};
}

std::optional<file_reference> file_reference_from(json::value const& value) {
    base::json_reader const root{value};
    auto const members = root["file"].is_object() ? root["file"] : root;
    file_reference file;
    file.id = members["id"].string_or("");
    if (file.id.empty() || !members["mime"].is_string()) return std::nullopt;
    file.name = members["name"].string_or("file");
    file.mime = members["mime"].string_or("");
    file.bytes = members["bytes"].int64_or(0);
    return file;
}

std::optional<std::string> message_file_id(node_run const& run, file_reference const& file) {
    auto const& heard = run.started_by().heard;
    if (!heard) return std::nullopt;
    for (auto& own : files_of(*heard))
        if (id_of(own) == file.id) return std::move(own.source);
    return std::nullopt;
}

base::awaitable<base::result<file_content>> load_file(node_run& run, file_reference file) {
    auto const& services = run.services();
    if (auto source = message_file_id(run, file)) {
        auto const& place = run.started_by().heard->from;
        auto bytes = co_await services.out.load_file(place, std::move(*source), most_file_bytes);
        if (!bytes) co_return bytes.error();
        co_return file_content{std::move(file.name), std::move(file.mime), std::move(*bytes)};
    }
    auto stored = co_await storage::read_flow_file(
        services.reads, run.steps().job().id, file.id, reading_patience
    );
    if (!stored) co_return stored.error();
    if (!*stored) co_return unknown_file(file);
    co_return file_content{
        std::move((*stored)->name), std::move((*stored)->mime), std::move((*stored)->content)};
}

} // namespace postrider::agent::flow
