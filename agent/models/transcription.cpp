#include "agent/models/transcription.hpp"

#include "base/json/json.hpp"
#include "net/multipart.hpp"

namespace postrider::agent {

namespace {

using base::errc;

base::error failure_of_transcription(net::http_answer const& answer, base::sys_time now) {
    auto const status = answer.status;
    auto code = status >= 500 ? errc::unavailable : errc::invalid;
    if (status == 401 || status == 403) code = errc::unauthorized;
    if (status == 404) code = errc::not_found;
    if (status == 429) code = errc::rate_limited;
    base::error failure(code, "the transcription server answered " + std::to_string(status));
    if (code == errc::rate_limited)
        failure.retry_after = net::parse_retry_after(answer.headers.find("Retry-After"), now);
    return failure;
}

class http_transcriber final : public transcriber {
public:
    http_transcriber(
        net::http_client& client,
        base::clock& clock,
        net::base_url address,
        transcription_options options
    )
        : client_(client),
          clock_(clock),
          address_(std::move(address)),
          options_(std::move(options)) {}

    transcription_options const& options() const override { return options_; }

    base::awaitable<base::result<std::string>> transcribe(recording speech) override {
        auto const seed = options_.api_key.reveal() + options_.model + speech.name;
        std::vector<net::form_part> parts;
        parts.push_back({"model", options_.model});
        parts.push_back({"response_format", "json"});
        parts.push_back(
            {"file", std::move(speech.bytes), std::move(speech.name), std::move(speech.mime)}
        );
        auto body = net::encode_multipart(parts, seed);
        net::http_call call;
        call.origin = address_.origin;
        call.target = address_.path + "/audio/transcriptions";
        call.headers.add("Content-Type", std::move(body.content_type));
        auto const key = options_.api_key.reveal();
        if (!key.empty()) call.headers.add("Authorization", "Bearer " + key);
        call.body = std::move(body.text);
        call.idempotent = true;
        call.first_byte_timeout = transcription_timeout;
        call.total_timeout = transcription_timeout;
        auto const answer = co_await client_.send(std::move(call));
        if (!answer) {
            auto failure = answer.error();
            if (failure == errc::ambiguous) failure.code = errc::unavailable;
            co_return failure;
        }
        if (answer->status != 200) co_return failure_of_transcription(*answer, clock_.now());
        auto const json = base::parse_json(answer->body);
        if (!json || !base::json_reader{*json}["text"].is_string())
            co_return base::error(errc::unavailable, "an unreadable answer with a transcription");
        co_return base::json_reader{*json}["text"].string_or("");
    }

private:
    net::http_client& client_;
    base::clock& clock_;
    net::base_url address_;
    transcription_options options_;
};

} // namespace

std::int64_t cost_micro(
    transcription_options const& options, std::chrono::seconds length
) noexcept {
    return (options.price_per_minute * length.count() + 59) / 60;
}

base::result<std::unique_ptr<transcriber>> make_transcriber(
    net::http_client& client, base::clock& clock, transcription_options options
) {
    auto address = net::parse_base_url(options.base_url);
    if (!address) return address.error();
    return std::unique_ptr<transcriber>(
        std::make_unique<http_transcriber>(client, clock, std::move(*address), std::move(options))
    );
}

} // namespace postrider::agent
