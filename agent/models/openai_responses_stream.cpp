// The Responses API's events: the last one brings the whole response.
#include "agent/models/errors.hpp"
#include "agent/models/openai_wire.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::openai {

namespace json = boost::json;

namespace {

class response_stream final : public wire::stream {
public:
    response_stream(text_listener hear, std::string model)
        : stream(std::move(hear)),
          model_(std::move(model)) {}

private:
    base::result<void> take(json::object const& event) override {
        json::value const all = event;
        base::json_reader const from{all};
        auto const type = from["type"].string_or("");
        if (type == "error") return openai_error(said(from), model_);
        if (type == "response.output_text.delta") tell(from["delta"].string_or(""));
        bool const last = type == "response.completed" || type == "response.incomplete" ||
                          type == "response.failed";
        if (auto const* response = from["response"].raw();
            last && response && response->is_object())
            response_ = response->get_object();
        return {};
    }

    std::optional<json::object> whole() override { return std::move(response_); }

    // The documentation has the failure's members in the event; the service also nests them.
    static json::value said(base::json_reader const& event) {
        auto const* nested = event["error"].raw();
        return nested && nested->is_object() ? *nested : *event.raw();
    }

    std::string model_;
    std::optional<json::object> response_;
};

} // namespace

std::shared_ptr<wire::stream> responses_stream(text_listener hear, std::string model) {
    return std::make_shared<response_stream>(std::move(hear), std::move(model));
}

} // namespace postrider::agent::openai
