#pragma once
// Flows by name: a draft that people edit, and published versions that never change. What a
// document means is not known here; it is text, kept as it was given.
//
// Every change names the draft's revision that it was made from, so that of two people who change
// the same draft at once the second one learns it. All of it runs inside the caller's transaction
// and throws as transaction::query() does.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

enum class flow_origin {
    shipped, // what is published came with the product
    own,     // a person published it
};
std::string_view to_string(flow_origin origin) noexcept;

// [a-z0-9][a-z0-9_-]{0,62}
bool fits_flow_name(std::string_view name) noexcept;

inline constexpr std::size_t flow_note_limit = 1000; // characters
bool fits_flow_note(std::string_view note) noexcept;

struct flow_row {
    flow_id id{};
    std::string name;
    std::string description; // the draft's
    flow_origin origin = flow_origin::own;
    std::optional<std::int64_t> published;   // version; absent: nothing yet
    std::optional<std::string> published_at; // times in ISO 8601, UTC
    std::string published_by;
    bool changed = false;      // the draft is not what is published
    std::int64_t revision = 0; // of the draft
    std::string created_at;
    std::string updated_at;
    std::optional<std::string> archived_at;
};

// A version without its document.
struct flow_version_row {
    std::int64_t version = 0;
    std::string published_at;
    std::string published_by;
    std::string note;
    flow_origin origin = flow_origin::own;
    std::string digest; // SHA-256 of the document, in hexadecimal
};

// Nothing when the name is taken, by an archived flow too.
std::optional<flow_row> create_flow(
    transaction& tx, std::string_view name, std::string_view document
);

std::optional<flow_row> find_flow(transaction& tx, std::string_view name);
// The same, and nobody else changes the flow before the transaction ends.
std::optional<flow_row> lock_flow(transaction& tx, std::string_view name);
// By name, those behind `after`. Archived ones only when asked for.
std::vector<flow_row> list_flows(
    transaction& tx, std::string_view after, int limit, bool archived = false
);

std::string read_draft(transaction& tx, flow_id flow);
// The revision afterwards, or nothing when the draft is not at `from` any more. The document that
// it is already keeps its revision.
std::optional<std::int64_t> save_draft(
    transaction& tx, flow_id flow, std::string_view document, std::int64_t from
);

struct publication {
    std::int64_t version = 0;
    bool fresh = false; // false: the draft is what that version was; nothing was written
};
// Makes the draft the next version, and that the one that starts from now on. An unchanged draft
// makes none. Nothing when the draft is not at `from` any more.
std::optional<publication> publish_draft(
    transaction& tx,
    flow_id flow,
    std::int64_t from,
    std::string_view by,
    std::string_view note,
    flow_origin origin = flow_origin::own
);

// Newest first, those below `before` (0 = from the newest).
std::vector<flow_version_row> list_versions(
    transaction& tx, flow_id flow, std::int64_t before, int limit
);
std::optional<flow_version_row> find_version(transaction& tx, flow_id flow, std::int64_t version);
// The version's document, of an archived flow too; or nothing.
std::optional<std::string> read_version(
    transaction& tx, std::string_view name, std::int64_t version
);

// An archived flow starts nothing; what runs goes on. Again changes nothing.
void archive_flow(transaction& tx, flow_id flow);
void unarchive_flow(transaction& tx, flow_id flow);

// False, and nothing is done, while a job of it is kept; while a job that is not over may be inside
// it by a call; or while it could get one: it is published and not archived. A flow that takes the
// name later goes on counting versions where this one ended.
bool delete_flow(transaction& tx, flow_id flow);

enum class shipped_outcome {
    installed,   // it was not there: version 1
    upgraded,    // a newer document is the next version; an edited draft stays as it is
    unchanged,   // it is there, or a newer one is
    left_to_own, // people have published their own, or archived it
};
std::string_view to_string(shipped_outcome outcome) noexcept;
enum class shipping {
    newer,         // nodes of an older version do not take a newer document back
    as_configured, // what the last start says counts, also where it was said before
};
// The flow that comes with the product.
shipped_outcome ensure_shipped(
    transaction& tx,
    std::string_view name,
    std::string_view document,
    shipping manner = shipping::newer
);

// A flow that starts something.
struct published_row {
    flow_id id{};
    std::string name;
    std::int64_t version = 0;
};
std::vector<published_row> list_published(transaction& tx); // by name

// What starts a flow: its document without the nodes that stand behind others.
struct opening_row {
    published_row of;
    std::string document;
};
// What changed of that since an earlier look, some of it told again: the flows that start
// something, and the names of those that do not.
struct flow_changes {
    std::int64_t moment = 0; // of this look, for the next one
    bool complete = false;   // every flow that starts something is told
    std::vector<published_row> published;
    std::vector<std::string> gone;
};
flow_changes list_changes(transaction& tx, std::optional<std::int64_t> since); // none = complete
// Of published flows that start something: of these, as they are now; or, by name, of those that
// have the text or number as a value within a node of their opening. Values of more than 1,000
// bytes are not found.
std::vector<opening_row> list_openings(transaction& tx, std::vector<flow_id> const& of);
std::vector<opening_row> list_openings(transaction& tx, std::string_view mention);

// Until the transaction ends nobody else asks what is taken, so that two do not take the same.
void lock_publishing(transaction& tx);

} // namespace postrider::storage
