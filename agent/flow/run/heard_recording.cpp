#include "agent/flow/run/heard_recording.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/models/recording_length.hpp"
#include "agent/models/transcription.hpp"
#include "base/json/json.hpp"
#include "base/log.hpp"
#include "storage/stores/message_transcripts.hpp"

#include <fmt/format.h>

#include <algorithm>

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

// The longer one of what the messenger and the file say: it is the sender who wrote the first.
std::chrono::seconds length_of(heard_message const& heard, std::string_view bytes) {
    auto const own = recording_length(bytes).value_or(0s);
    return std::max({heard.length, own, std::chrono::seconds{1}});
}

class recording_writer {
public:
    recording_writer(
        heard_message const& heard,
        queue::workflow& steps,
        node_services const& services,
        budget_reservations* reservations,
        audit_trail& audit
    )
        : heard_(heard),
          steps_(steps),
          services_(services),
          reservations_(reservations),
          audit_(audit) {}

    base::awaitable<queue::step_value> write_down() {
        if (!services_.transcription)
            co_return base::error(base::errc::refused, "no transcription is configured");
        auto const& options = services_.transcription->options();
        auto bytes = co_await services_.out.load_file(
            heard_.from, heard_.file->source, most_recording_bytes
        );
        if (!bytes) co_return bytes.error();
        auto const length = length_of(heard_, *bytes);
        if (length > options.longest)
            co_return base::error(base::errc::refused, "the recording is longer than allowed");
        storage::spending const price{1, 0, cost_micro(options, length)};
        std::optional<budget_reservations::call> reservation;
        if (reservations_) {
            auto const number = co_await reservations_->reserve(price, transcription_timeout);
            if (!number && number.error() == base::errc::budget)
                audit_.budget_stopped(step(), options.model, number.error());
            if (!number) co_return number.error();
            reservation.emplace(*reservations_, *number);
            reservation->pay(price); // where nobody waits for its answer, it is paid all the same
        }
        recording speech{heard_.file->name, heard_.file->mime, std::move(*bytes)};
        auto value = co_await call(std::move(speech), length, price.cost_micro);
        if (!value && reservation) reservation->pay({});
        co_return value;
    }

private:
    base::awaitable<queue::step_value> call(
        recording speech, std::chrono::seconds length, std::int64_t cost
    ) {
        auto const& model = services_.transcription->options().model;
        // Of the recording the audit has what names it, not the sound.
        auto asked = fmt::format(
            "model {}\nfile {}\nbytes {}\nseconds {}\n",
            model,
            heard_.file->source,
            speech.bytes.size(),
            length.count()
        );
        audit_trail::model_question question{model, std::move(asked), 1, 0};
        auto text = co_await services_.transcription->transcribe(std::move(speech));
        queue::usage used;
        queue::step_value value = json::value();
        if (text) {
            used.cost_micro = cost;
            steps_.spend(transcript_step, used);
            value = json::value{{"text", std::move(*text)}, {"model", model}};
        } else {
            value = text.error();
        }
        audit_.model_called(step(), std::move(question), value, used);
        co_return value;
    }

    std::string step() const { return steps_.prefix() + std::string(transcript_step); }

    heard_message const& heard_;
    queue::workflow& steps_;
    node_services const& services_;
    budget_reservations* reservations_;
    audit_trail& audit_;
};

// Earlier releases recorded the words alone.
std::string words_in(json::value const& recorded) {
    if (recorded.is_string()) return std::string(recorded.get_string());
    return base::json_reader{recorded}["text"].string_or("");
}

} // namespace

base::awaitable<base::result<bool>> hear_recording(
    execution_input& input,
    conversation& heard_in,
    queue::workflow steps,
    node_services const& services,
    budget_reservations* reservations,
    audit_trail& audit
) {
    if (!input.answered() || !input.heard->is_spoken || !input.heard->file) co_return true;
    auto& heard = *input.heard;
    if (!heard.seen.empty()) co_return true; // of a group that is only watched
    bool const was_recorded = steps.recorded(transcript_step);
    recording_writer writer(heard, steps, services, reservations, audit);
    auto work = [&writer] { return writer.write_down(); };
    auto const value = co_await steps.try_step(std::string(transcript_step), transcribing, work);
    if (!value && is_empty_budget(value.error())) co_return value.error();
    if (!value) {
        heard.attachment = value.error() == base::errc::too_large
                               ? "voice message that is larger than Telegram gives to bots"
                               : "voice message that could not be written down";
        if (!was_recorded && !steps.is_read_only())
            base::log::warn(
                "turn.not_transcribed", {{"job", steps.job().id}, {"error", value.error()}}
            );
        co_return false;
    }
    auto words = words_in(*value);
    if (words.find_first_not_of(" \t\r\n") == words.npos) words = "(a voice message without words)";
    if (!was_recorded)
        steps.add(storage::keep_transcript(steps.job().lane, steps.job().id, words, heard.wordless)
        );
    heard_in.put_words(std::move(words));
    co_return true;
}

} // namespace postrider::agent::flow
