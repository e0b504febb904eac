#pragma once
// Speech as text, by a server that takes OpenAI's POST /audio/transcriptions: OpenAI's own, or a Whisper server of
// one's own. On the executor's one thread.
//
// Errors of transcribe(): rate_limited (retry_after), unauthorized, not_found (no such model), invalid (the recording is not
// accepted), unavailable, timeout. Asking again costs money, never harm. Source: OpenAI's API reference, 2026.
#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/secret.hpp"
#include "net/http_client.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace postrider::agent {

struct transcription_options {
    std::string base_url; // "https://api.openai.com/v1"
    base::secret api_key = {};
    std::string model = "whisper-1";
    std::chrono::seconds longest{600}; // of a recording
    std::int64_t price_per_minute = 0; // millionths of a US dollar; 0 = it costs nothing
};

// Of a recording of that length, in millionths of a US dollar: begun seconds are paid.
std::int64_t cost_micro(transcription_options const& options, std::chrono::seconds length) noexcept;

struct recording {
    std::string name; // "voice.ogg": servers go by its ending
    std::string mime;
    std::string bytes;
};

inline constexpr std::size_t most_recording_bytes = 20u << 20; // Telegram gives no more
inline constexpr std::chrono::seconds transcription_timeout{90};

class transcriber {
public:
    virtual ~transcriber() = default;
    virtual transcription_options const& options() const = 0;
    virtual base::awaitable<base::result<std::string>> transcribe(recording speech) = 0;
};

// invalid: a malformed base URL. The client and the clock must outlive it.
base::result<std::unique_ptr<transcriber>> make_transcriber(
    net::http_client& client, base::clock& clock, transcription_options options
);

} // namespace postrider::agent
