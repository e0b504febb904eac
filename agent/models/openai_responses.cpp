// OpenAI's Responses API: POST {base}/responses, stateless.
#include "agent/models/errors.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/providers.hpp"

namespace postrider::agent {

namespace {

class openai_responses final : public model {
public:
    openai_responses(
        model_options options, net::base_url base, net::http_client& client, base::clock& clock
    )
        : options_(std::move(options)),
          base_(std::move(base)),
          client_(client),
          clock_(clock),
          name_("openai/" + options_.model) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.tools = true, .vision = true}; }
    base::awaitable<base::result<chat_reply>> chat(chat_request request) override;

private:
    model_options options_;
    net::base_url base_;
    net::http_client& client_;
    base::clock& clock_;
    std::string name_;
};

base::awaitable<base::result<chat_reply>> openai_responses::chat(chat_request request) {
    net::header_list headers;
    if (!options_.api_key.empty())
        headers.add("Authorization", "Bearer " + options_.api_key.reveal());
    auto explain = [this](net::http_answer const& answer) {
        return openai_error(answer, options_.model, clock_.now());
    };
    auto body = co_await wire::post(
        client_,
        base_,
        "/responses",
        std::move(headers),
        openai::responses_body(request, options_, name_),
        options_.timeout,
        explain,
        openai::responses_stream(request.hear, options_.model)
    );
    if (!body) co_return body.error();
    co_return openai::read_response(*body, options_.model, name_);
}

} // namespace

std::unique_ptr<model> make_openai_responses(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
) {
    return std::make_unique<openai_responses>(std::move(options), std::move(base), client, clock);
}

} // namespace postrider::agent
