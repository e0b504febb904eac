#pragma once
// What people do with flows, the same from the command line and over HTTP: a document becomes a
// draft, a draft a version, a version a draft again.
//
// Everything happens inside the caller's transaction, on its thread. A refusal changes nothing and
// says why; what is thrown is what every query throws. Where a `flow_row` is wanted, it is one that
// storage::lock_flow() gave in this transaction.
#include "agent/flow/document/diff.hpp"
#include "agent/flow/validate/validate.hpp"
#include "storage/stores/flows.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

struct refusal {
    refusal() = default;
    refusal(std::string kind, std::string reason, std::vector<problem> all = {})
        : code(std::move(kind)),
          detail(std::move(reason)),
          problems(std::move(all)) {}

    // not_found, name_taken, name_differs, archived, not_published, draft_changed, in_use,
    // no_trigger, no_lane, path_taken; invalid_flow, the only one with problems.
    std::string code;
    std::string detail; // for people: why, and what to do
    std::vector<problem> problems;
};
[[noreturn]] void throw_exception_from_error(
    refusal const& refusal, boost::source_location const& where
);
template<class T>
using allowed = boost::system::result<T, refusal>;

// What documents are validated with. The catalog is read by any thread.
struct validator {
    catalog const* types = nullptr;
    validation_context context = {};
    std::vector<std::string> agents = {}; // of the configured bots
};

// A document that can be read, in its normal form (document_text), and what is wrong with it still.
struct candidate {
    std::string name;
    std::string text;
    std::vector<problem> problems;
};
// Pure. invalid_flow, with everything that is wrong: not even the form is right.
allowed<candidate> read_candidate(std::string_view text, validator const& validator);

// The validator that knows the published flows too, and where no bot is configured those that a
// server has written down, also a demo's. What is not published cannot be named.
validator with_flows(storage::transaction& tx, validator validator);

// name_taken.
allowed<storage::flow_row> create(storage::transaction& tx, candidate const& candidate);
// The draft's new revision. name_differs, archived.
allowed<std::int64_t> save(
    storage::transaction& tx, storage::flow_row const& flow, candidate const& candidate
);

struct publisher {
    std::string name; // "owner", "token:7", "cli"
    std::string note = {};
};
struct published : storage::publication {
    std::vector<problem> problems; // warnings
};
// The draft becomes the next version, and its schedules are kept from now on. invalid_flow with
// every problem, archived.
allowed<published> publish(
    storage::transaction& tx,
    storage::flow_row const& flow,
    publisher const& author,
    validator const& validator
);

struct import_options {
    bool publish = false;
    bool overwrite = false; // another draft, which was never published
};
struct imported {
    storage::flow_row flow; // as it is then
    bool created = false;
    std::optional<storage::publication> published; // when that was wanted
    std::vector<problem> problems;                 // of the document; then warnings
};
// Makes the flow, or replaces its draft. draft_changed, archived, invalid_flow.
allowed<imported> import(
    storage::transaction& tx,
    candidate const& candidate,
    import_options options,
    publisher const& author,
    validator const& validator
);

// The version's document becomes the draft; its new revision. not_found, archived.
allowed<std::int64_t> restore(
    storage::transaction& tx, storage::flow_row const& flow, std::int64_t version
);

// Its schedules end, but those for a single time that is over; then they begin again with what is published. path_taken: meanwhile another
// flow has a webhook of it.
void archive(storage::transaction& tx, storage::flow_row const& flow);
allowed<void> unarchive(
    storage::transaction& tx, storage::flow_row const& flow, catalog const& types
);
// in_use: see storage::delete_flow.
allowed<void> remove(storage::transaction& tx, storage::flow_row const& flow);

// The flow that comes with the product.
storage::shipped_outcome ship(
    storage::transaction& tx,
    std::string_view document,
    catalog const& types,
    storage::shipping manner = storage::shipping::newer
);

// "draft", "published" or a version's number.
allowed<std::string> read_document(
    storage::transaction& tx, storage::flow_row const& flow, std::string_view version_name
);
// What changed from one to the other. not_found, not_published.
allowed<flow_diff> compare(
    storage::transaction& tx,
    storage::flow_row const& flow,
    std::string_view old_version,
    std::string_view new_version
);

} // namespace postrider::agent::flow
