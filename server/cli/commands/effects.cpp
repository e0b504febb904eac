// `effects list|done|resend|drop`: effects in doubt, and a person's word on them.
#include "server/cli/job_report.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/parser/suggestion.hpp"

namespace postrider::cli {

namespace {

void declare_page(option_parser& parser, page& args) {
    add_page(parser, args);
}

int list_effects(context const& in, page const& args) {
    queue::doubtful_effects_page doubtful;
    int const code = in_database(in, "read the effects", [&](storage::transaction& tx) {
        doubtful = queue::list_effects_in_doubt(tx, job_or_none(args.cursor), args.limit);
    });
    if (code != 0) return code;
    print_listing(in, doubtful, doubtful.effects, "No effect is in doubt.");
    tell_next_page(in, doubtful.continues);
    return 0;
}

struct effect {
    std::int64_t job = 0;
    std::string key;
};

void declare_effect(option_parser& parser, effect& args) {
    add_job(parser, args.job);
    parser.add_option("KEY", args.key, "The effect's key")->required()->check(some_text());
}

constexpr storage::statement effect_keys{
    "job.effect_keys",
    "select e.key from postrider.effect e "
    "where e.job_id = $1::bigint and position('~' in e.key) = 0 limit 1000"};

// The refusal names all effects of the job; of several it also says which is meant.
queue::operation_result with_key_hint(
    storage::transaction& tx, effect const& requested, queue::operation_result result
) {
    if (result.code != "not_found") return result;
    std::vector<std::string> keys;
    for (auto const& row : tx.query(effect_keys, {requested.job})) keys.push_back(row.text(0));
    if (keys.size() > 1) result.detail += suggestion(requested.key, keys);
    return result;
}

template<queue::effect_settlement settlement>
int settle(context const& in, effect const& args) {
    return operate_once(in, [&](auto& tx) {
        return with_key_hint(
            tx, args, queue::settle_effect(tx, job_id{args.job}, args.key, settlement)
        );
    });
}

using queue::effect_settlement;

} // namespace

namespace commands {

extern constinit command const effects_list{
    .path = "effects list",
    .summary = "List effects in doubt",
    .example = "postrider effects list",
    .prepare = with_options<declare_page, list_effects>};

extern constinit command const effects_done{
    .path = "effects done",
    .summary = "Settle an effect: it has happened",
    .example = "postrider effects done 42 reply/send",
    .prepare = with_options<declare_effect, settle<effect_settlement::done>>};

extern constinit command const effects_resend{
    .path = "effects resend",
    .summary = "Settle an effect: do it again",
    .example = "postrider effects resend 42 reply/send",
    .prepare = with_options<declare_effect, settle<effect_settlement::resend>>};

extern constinit command const effects_drop{
    .path = "effects drop",
    .summary = "Settle an effect: it has not happened, and shall not",
    .example = "postrider effects drop 42 reply/send",
    .prepare = with_options<declare_effect, settle<effect_settlement::drop>>};

} // namespace commands

} // namespace postrider::cli
