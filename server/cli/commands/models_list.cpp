// `models list`: which models the configuration can reach, and what they cost.
#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "server/cli/command.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/table.hpp"
#include "server/views/model_list.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct models_list_arguments {
    std::string provider;
};

void declare_models_list(option_parser& parser, models_list_arguments& args) {
    parser.add_option("--provider", args.provider, "Only of this provider")->type_name("NAME");
}

std::string or_dash(std::string text, bool is_known) {
    return is_known ? std::move(text) : "-";
}

std::string models_text(server::model_list const& list) {
    std::vector<cells> lines;
    for (auto const& model : list.models) {
        auto const* facts = model.known;
        auto const& prices = model.prices;
        auto const context = facts ? facts->context : 0;
        lines.push_back(
            {one_line(model.name, 60),
             model.provider,
             or_dash(std::to_string(context), context > 0),
             or_dash(model.tools.value_or(false) ? "yes" : "no", model.tools.has_value()),
             or_dash(model.vision.value_or(false) ? "yes" : "no", model.vision.has_value()),
             or_dash(fmt::format("{:g}", prices.input), prices.input > 0),
             or_dash(fmt::format("{:g}", prices.output), prices.output > 0),
             base::joined(model.entries, ", ")}
        );
    }
    return table(
        {"model", "provider", "context", "tools", "vision", "$ in", "$ out", "used by"}, lines
    );
}

// Of the models that are in use.
std::string successors_text(server::model_list const& list) {
    std::string text;
    for (auto const& model : list.models)
        if (!model.entries.empty() && model.known && !model.known->successor.empty())
            text += fmt::format(
                "{} ({}) has a successor: {}.\n",
                one_line(model.name, 60),
                base::joined(model.entries, ", "),
                model.known->successor
            );
    return text;
}

std::vector<std::string> provider_names() {
    std::vector<std::string> names;
    for (auto const* provider : agent::providers()) names.emplace_back(provider->name);
    return names;
}

int run_models_list(context const& in, models_list_arguments const& args) {
    if (!args.provider.empty() && !agent::find_provider(args.provider)) {
        auto const names = provider_names();
        return fail(
            in,
            "list the models",
            base::error(
                base::errc::not_found,
                fmt::format(
                    "there is no provider {}{}",
                    args.provider,
                    hint_and(
                        suggestion(args.provider, names),
                        "--provider is one of: " + base::joined(names, ", ")
                    )
                )
            )
        );
    }
    auto list = run_online([&](net::http_client& http) {
        return server::list_models(in.configured.values, http, base::system_clock());
    });
    if (!args.provider.empty())
        std::erase_if(list.models, [&](auto const& model) {
            return model.provider != args.provider;
        });
    for (auto const& failure : list.failures)
        in.err << "postrider: cannot ask " << printable(failure) << '\n';
    if (in.json) {
        in.out << base::json_text(server::to_json(list)) << '\n';
        return 0;
    }
    in.out << models_text(list);
    in.err << successors_text(list);
    in.err << "Prices are US dollars for a million tokens; [models.NAME] names what is asked.\n";
    return 0;
}

} // namespace

namespace commands {

extern constinit command const models_list{
    .path = "models list",
    .summary = "The models of the configured providers: sizes, prices, and who uses them",
    .example = "postrider models list",
    .prepare = with_options<declare_models_list, run_models_list>};

} // namespace commands

} // namespace postrider::cli
