#include "agent/flow/run/file_media.hpp"

#include "agent/flow/parts/item_file.hpp"

namespace postrider::agent::flow {

namespace {

using base::errc;

// Within what a send has beside the messenger's own deadlines (speech/speech.hpp).
constexpr std::chrono::seconds longest_load{10};

bool is_picture(std::string_view mime) {
    return mime == "image/jpeg" || mime == "image/png";
}

base::awaitable<base::result<std::string>> uploaded_bytes(node_run& run, file_reference file) {
    auto loaded = co_await base::with_timeout(load_file(run, std::move(file)), longest_load);
    if (loaded) co_return std::move(loaded->bytes);
    // Nothing was sent yet, so the time that ran out leaves nothing in doubt.
    bool const is_late = loaded.error() == errc::timeout;
    co_return base::error(is_late ? errc::unavailable : loaded.error().code, loaded.error().detail);
}

} // namespace

base::result<media> media_of_file(
    node_run& run, address const& target, boost::json::value const& file, std::string_view as
) {
    auto const reference = file_reference_from(file);
    if (!reference) return base::error(errc::invalid, "'file' is no file: {{ $json.file }} is one");
    if (target.is_conversation())
        return base::error(errc::invalid, "a conversation of the chat API shows no files");
    bool const is_photo = as == "photo" || (as != "document" && is_picture(reference->mime));
    media result{is_photo ? media_kind::photo : media_kind::document, reference->id};
    auto const own = message_file_id(run, *reference);
    if (own && target.bot == run.started_by().heard->from.bot) {
        result.source = *own;
        return result;
    }
    result.upload = upload{reference->name, reference->mime, [&run, reference] {
                               return uploaded_bytes(run, *reference);
                           }};
    return result;
}

} // namespace postrider::agent::flow
