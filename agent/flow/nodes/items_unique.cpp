#include "agent/flow/node_type.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/json/ordered.hpp"
#include "net/digest.hpp"
#include "storage/stores/seen_items.hpp"

#include <boost/json/array.hpp>

#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view new_items_step = "new";
constexpr auto claims_deadline = std::chrono::seconds{10};

// With the database's key, so that nobody guesses words of people from what is stored.
std::string digest_of(node_run& run, std::string const& kind) {
    auto const key = run.services().links.key.reveal();
    if (key.empty()) return net::sha256_hex(kind);
    return net::hmac_sha256_hex(key, "seen item\n" + kind);
}

// By item; equal for duplicates. An item that has no value to compare is compared as a whole.
base::awaitable<base::result<std::vector<std::string>>> unique_keys(node_run& run) {
    std::vector<std::string> keys;
    for (std::size_t at = 0; at < run.input().size(); ++at) {
        auto const parameters = co_await run.parameters(at);
        if (!parameters) co_return parameters.error();
        auto const* value = parameters->if_contains("by");
        bool const has_value = value && !value->is_null();
        auto const kind = has_value ? "by\n" + base::ordered_json(*value)
                                    : "item\n" + base::ordered_json(*run.input()[at].json);
        keys.push_back(digest_of(run, kind));
    }
    co_return keys;
}

base::awaitable<queue::step_value> read_unseen(
    node_run& run, storage::item_claim claim, json::array digests
) {
    auto const read = run.started_by().silent ? storage::unseen_items : storage::claimed_items;
    auto const unseen =
        co_await read(run.services().reads, std::move(claim), std::move(digests), claims_deadline);
    if (!unseen) co_return unseen.error();
    json::array list;
    for (auto const& digest : *unseen) list.emplace_back(digest);
    co_return json::value(std::move(list));
}

// The digests that no earlier run of the node had. They are claimed in a commit first: of executions that
// run at the same time, one alone has an item, and a run after a crash finds the same. A silent execution
// claims nothing: what its original has claimed is new for it too.
base::awaitable<base::result<std::set<std::string>>> keep_unseen(
    node_run& run, std::set<std::string> digests, std::int64_t newest
) {
    json::array list;
    for (auto const& digest : digests) list.emplace_back(digest);
    auto const& started_by = run.started_by();
    storage::item_claim claim{
        .flow = started_by.flow,
        .node = run.node().id,
        .job = run.steps().job().id,
        .run = run.steps().prefix()};
    if (started_by.silent && started_by.history) claim.job = started_by.history->job;
    if (!started_by.silent && !run.steps().recorded(new_items_step)) {
        queue::commit_with claims;
        claims.writes.push_back(storage::claim_items(claim, list));
        claims.writes.push_back(storage::forget_seen_items(claim, newest));
        co_await run.commit(std::move(claims));
    }
    auto read = [&run, &claim, &list] { return read_unseen(run, claim, list); };
    auto const policy = run.retry(base::retry_policy());
    auto const found = co_await run.steps().try_step(new_items_step, policy, read);
    if (!found) co_return found.error();
    std::set<std::string> unseen;
    for (auto const& digest : found->as_array()) unseen.emplace(digest.as_string());
    co_return unseen;
}

base::awaitable<base::result<outputs>> remove_duplicates(node_run& run) {
    auto const keys = co_await unique_keys(run);
    if (!keys) co_return keys.error();
    std::set<std::string> unseen(keys->begin(), keys->end());
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    if (parameters->at("among") == "earlier") {
        auto const newest = parameters->at("remember").get_int64();
        auto kept = co_await keep_unseen(run, std::move(unseen), newest);
        if (!kept) co_return kept.error();
        unseen = std::move(*kept);
    }
    outputs output;
    for (std::size_t at = 0; at < keys->size(); ++at) {
        bool const is_new = unseen.erase((*keys)[at]) > 0;
        output[is_new ? "main" : "repeated"].push_back(run.input()[at]);
    }
    co_return output;
}

} // namespace

behaviour items_unique_behaviour() {
    return durable{remove_duplicates};
}

} // namespace postrider::agent::flow
