#include "agent/models/transcription.hpp"
#include "net/http_server.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::transcription_test {
namespace {

using base::errc;
using testing::HasSubstr;
using namespace std::chrono_literals;

// A Whisper server on this machine, and its client.
struct whisper_desk {
    whisper_desk() {
        net::route route;
        route.method = "POST";
        route.pattern = "/v1/audio/transcriptions";
        route.body_limit = 1u << 20;
        route.handle = [this](net::http_request request) { return handle(std::move(request)); };
        net::http_server_options options;
        options.listen = "127.0.0.1:0";
        server = net::make_http_server(
            loop.executor(), std::move(options), net::router({std::move(route)})
        );
        server->start().value();
    }
    ~whisper_desk() {
        client->close();
        server->stop_accepting();
        loop.run(server->drain(1s));
    }

    base::awaitable<net::http_response> handle(net::http_request request) {
        asked.push_back(std::move(request));
        co_return net::http_response::json(status, answer);
    }
    base::result<std::string> transcribe(base::secret key = {}) {
        transcription_options options;
        options.base_url = "http://" + server->address() + "/v1";
        options.api_key = std::move(key);
        options.model = "large-v3";
        auto const service =
            make_transcriber(*client, base::system_clock(), std::move(options)).value();
        return loop.run(service->transcribe({"voice.ogg", "audio/ogg", "OggS"}));
    }

    tests::loop loop;
    std::unique_ptr<net::http_client> client = net::make_http_client(loop.executor());
    std::unique_ptr<net::http_server> server;
    std::vector<net::http_request> asked;
    int status = 200;
    std::string answer = R"({"text":"Hello there."})";
};

TEST(transcription, sends_the_recording_and_reads_its_words) {
    whisper_desk d;

    EXPECT_EQ(d.transcribe(base::secret("k3y")).value(), "Hello there.");

    auto const& request = d.asked.at(0);
    EXPECT_EQ(request.headers.find("Authorization"), "Bearer k3y");
    EXPECT_THAT(
        std::string(request.headers.find("Content-Type")), HasSubstr("multipart/form-data")
    );
    EXPECT_THAT(request.body, HasSubstr("large-v3"));
    EXPECT_THAT(request.body, HasSubstr("filename=\"voice.ogg\""));
    EXPECT_THAT(request.body, HasSubstr("OggS"));
    EXPECT_THAT(request.body, testing::Not(HasSubstr("k3y")));
}

TEST(transcription, says_why_there_are_no_words) {
    whisper_desk d;
    struct {
        int status;
        errc code;
    } const cases[]{
        {401, errc::unauthorized},
        {404, errc::not_found},
        {400, errc::invalid},
        {429, errc::rate_limited},
        {503, errc::unavailable},
    };
    for (auto const& [status, code] : cases) {
        d.status = status;
        EXPECT_EQ(d.transcribe().error(), code) << status;
    }
    d.status = 200;
    d.answer = "<html>";
    EXPECT_EQ(d.transcribe().error(), errc::unavailable);
}

TEST(transcription, costs_the_price_of_its_seconds) {
    transcription_options options;
    EXPECT_EQ(cost_micro(options, 61s), 0) << "a server of one's own";
    options.price_per_minute = 6000;
    EXPECT_EQ(cost_micro(options, 60s), 6000);
    EXPECT_EQ(cost_micro(options, 61s), 6100);
    options.price_per_minute = 1;
    EXPECT_EQ(cost_micro(options, 1s), 1) << "no recording is free";
}

TEST(transcription, needs_an_address) {
    whisper_desk d;
    auto const service =
        make_transcriber(*d.client, base::system_clock(), {.base_url = "no address"});
    ASSERT_FALSE(service);
    EXPECT_EQ(service.error(), errc::invalid);
}

} // namespace
} // namespace postrider::agent::transcription_test
