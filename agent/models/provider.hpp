#pragma once
// A provider of models as a value: what the configuration, the flows and the models need to know of
// it. A new one is one file with its value and one line in provider_table.cpp. Its settings, its
// node type, its probe and the choice of a default follow from these.
//
// The wire is pure functions: what is sent, and what an answer says. http_model.cpp does the rest
// for all of them.
#include "agent/describe/folded_text.hpp"
#include "agent/models/model.hpp"
#include "agent/models/options.hpp"
#include "base/clock.hpp"
#include "base/setting.hpp"
#include "net/http_client.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace postrider::agent {

namespace wire {
class stream;
}

// Whom a request goes to. Options are complete: the model's name and the address are filled in.
struct wire_peer {
    model_options const& options;
    std::string_view echo; // under which a model's provider_state is stored: "openai/gpt-4o-mini"
    bool is_vendor = true; // not a server that is only compatible with it
    bool limits_completion = false; // it takes the limit of an answer by the vendor's newer name
};

struct wire_reply {
    chat_reply reply;
    boost::json::array blocks = {}; // the content as it came, for a reply that paused
    bool paused = false;            // the blocks are sent back, and the model goes on
};

struct wire_api {
    std::string_view name; // "chat", in [models.*].api
    // The node type that asks over this API alone: "compatible" is model.compatible. "" = the
    // provider's node is enough.
    std::string_view node = {};
    std::string_view title = {};         // of that node type
    std::string_view documentation = {}; // likewise
    std::string_view path;               // behind the address: "/chat/completions"
    // JSON, asked for in pieces where the request has a listener.
    std::string (*request_body)(chat_request const& request, wire_peer const& peer);
    // unavailable: it cannot be read. A failure in an answer of status 200 comes back as such.
    base::result<wire_reply> (*read_reply)(std::string_view body, wire_peer const& peer);
    // What puts a streamed answer together.
    std::shared_ptr<wire::stream> (*stream)(text_listener hear, std::string model);
    // Costs nothing, and tells whether key and model are known.
    std::string (*probe_path)(std::string_view model);
    // Where the models are listed, newest first or in no order.
    std::string_view list_path = {};
};

// A vendor's model, as far as it is known without asking: list prices and sizes as they were in
// November 2026. A configured price goes first.
struct known_model {
    std::string_view name;  // as the vendor calls it, without a date
    int context = 0;        // tokens of a request; 0 = not known, as below
    int output = 0;         // tokens of an answer
    double input_price = 0; // US cents for a million tokens
    double output_price = 0;
    double cached = 0; // share of the price, where it is not the provider's usual
    bool vision = true;
    bool tools = true;
    bool forced_tools = true;        // else a required call is asked for in words
    std::string_view successor = {}; // that takes its place, by name; "" = none yet
};

// A name that the vendor serves no more, and the model that is asked instead.
struct former_name {
    std::string_view name; // without a date or "-latest"
    std::string_view now;
};

// Shares of the price of a token that is read for the first time; a configured price goes first.
struct cache_prices {
    double cached = 1;
    double written = 1;
};

struct provider {
    std::string_view name;  // "openai", in [models.*].provider; its settings begin with it
    std::string_view title; // "OpenAI model", of its node type model.NAME
    std::string_view documentation;
    std::string_view default_model;
    std::span<known_model const> models = {}; // to choose from; others are possible
    std::span<former_name const> former = {};
    double most_temperature = 0; // 0 = the API takes none

    // NAME.api_key, NAME.model, NAME.base_url and what else it has; none of one that is built in.
    std::span<base::setting const> settings = {};
    std::string_view address = {}; // the vendor's own, in the form that the settings want
    bool needs_key = false;        // also at another address; else at the vendor's alone
    std::span<wire_api const> apis = {};
    net::header_list (*headers)(model_options const& options) = nullptr;
    // People write the address in several forms.
    net::base_url (*normal_form)(net::base_url address) = nullptr;
    base::error (*explain
    )(net::http_answer const& answer, std::string_view model, base::sys_time now) = nullptr;
    cache_prices cache = {};
    // Whether a name of the vendor's list is one of a model that answers in words.
    bool (*converses)(std::string_view model) = nullptr;

    // Instead of a wire.
    std::unique_ptr<model> (*make_built_in)() = nullptr;

    bool is_built_in() const noexcept { return make_built_in != nullptr; }
};

// The table. The first that has a key provides the default model; the last is built in.
std::span<provider const* const> providers() noexcept;
// Null: there is none of this name.
provider const* find_provider(std::string_view name) noexcept;
// The API that the options name, or the first; null when there is none of this name.
wire_api const* find_api(provider const& provider, std::string_view name) noexcept;

// The environment's name for the provider's key; "" = it has none.
std::string_view key_variable(provider const& provider) noexcept;
// Of all: "ANTHROPIC_API_KEY or OPENAI_API_KEY".
std::string key_variables();

// What is known of the provider's model; a date behind the name ("-20251001", "-2024-07-18") makes
// no difference. Null: nothing.
known_model const* find_known_model(provider const& provider, std::string_view name) noexcept;

// By which the vendor serves the model today; the same name where nothing else is known.
std::string_view current_name(provider const& provider, std::string_view name) noexcept;

// True where the address is on the vendor's own origin; "" counts as it.
bool is_vendors(provider const& provider, std::string_view address);

// Whose nodes may ask the model: the provider's name, and its API's node.
std::vector<std::string> nodes_of(model_options const& options);

// Of a model that takes no tools, "provider/name"; "" = it takes them, or nothing is known of it. `model`: by its own name;
// "" = the entry's. The configuration goes before what is known.
std::string toolless_name(model_options const& options, std::string_view model = {});

} // namespace postrider::agent
