#include "agent/flow/run/heard_recording.hpp"

#include "agent/models/transcription.hpp"
#include "base/log.hpp"
#include "storage/stores/message_transcripts.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr std::string_view transcript_step = "transcript";
constexpr base::retry_policy transcribing{
    .limit = 2,
    .delay = 2s,
    .backoff = base::backoff_shape::exponential,
    .timeout = transcription_timeout + 40s, // with the file
    .total = 5min};

base::awaitable<queue::step_value> write_down(
    heard_message const& heard, node_services const& services, budget_reservations* reservations
) {
    if (!services.transcription)
        co_return base::error(base::errc::refused, "no transcription is configured");
    std::optional<budget_reservations::call> reservation;
    if (reservations) {
        auto const number = co_await reservations->reserve({1, 0, 0}, transcription_timeout);
        if (!number) co_return number.error();
        reservation.emplace(*reservations, *number);
    }
    auto bytes =
        co_await services.out.load_file(heard.from, heard.file->source, most_recording_bytes);
    if (!bytes) co_return bytes.error();
    recording speech{heard.file->name, heard.file->mime, std::move(*bytes)};
    if (reservation) reservation->pay({1, 0, 0});
    auto text = co_await services.transcription->transcribe(std::move(speech));
    if (!text) co_return text.error();
    co_return json::value(std::move(*text));
}

} // namespace

base::awaitable<bool> hear_recording(
    execution_input& input,
    conversation& heard_in,
    queue::workflow steps,
    node_services const& services,
    budget_reservations* reservations
) {
    if (!input.answered() || !input.heard->is_spoken || !input.heard->file) co_return true;
    auto& heard = *input.heard;
    if (!heard.seen.empty()) co_return true; // of a group that is only watched
    bool const was_recorded = steps.recorded(transcript_step);
    auto work = [&heard, &services, reservations] {
        return write_down(heard, services, reservations);
    };
    auto const value = co_await steps.try_step(std::string(transcript_step), transcribing, work);
    if (!value) {
        heard.attachment = "voice message that could not be written down";
        if (!was_recorded && !steps.is_read_only())
            base::log::warn(
                "turn.not_transcribed", {{"job", steps.job().id}, {"error", value.error()}}
            );
        co_return false;
    }
    std::string words(value->as_string());
    if (words.find_first_not_of(" \t\r\n") == words.npos) words = "(a voice message without words)";
    if (!was_recorded)
        steps.add(storage::keep_transcript(steps.job().lane, steps.job().id, words, heard.wordless)
        );
    heard_in.put_words(std::move(words));
    co_return true;
}

} // namespace postrider::agent::flow
