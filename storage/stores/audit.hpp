#pragma once
// The audit: rows that are committed with what they tell of, each linked to the one before it in its
// lane's chain (sql/functions/audit.sql).
//
// A worker's rows are written behind the fence of its lane, whose lock orders them. They hold names,
// numbers and hashes; what people said stands in `content` alone, beside the chain.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

struct new_audit_entry {
    lane_id lane{};
    job_id job{};
    // Ascends among the entries of one commit; no two entries of a lane have the same.
    std::int64_t nonce = 0;
    std::string kind;
    std::string actor;
    std::string subject = {};
    boost::json::value detail = boost::json::object{};
    std::string content_hash = {};           // SHA-256 of what was asked, in hex; "" = none
    std::optional<std::string> content = {}; // what was asked, where it is kept
};

// Order 69; returns no row. Written twice it stands twice, unless the lane's chain ends with it. Of
// several in one commit: chain_together().
write record_audit(new_audit_entry const& entry);
// The rows of one unit, of one lane: those of the audit follow each other in its chain.
void chain_together(std::vector<write>& writes);
// The same row, for a commit that may have been made before: it is not written twice. Any other row
// comes back as it is.
write once_only(write row);

// Says for the rest of the transaction on whose word it acts: "cli:root", "token:7".
void act_as(transaction& tx, std::string_view actor);
// On whose word it acts.
std::string actor_in(transaction& tx);

// What an operator did that belongs to no lane, in the chain of lane 0. It locks the end of that
// chain: to be the last of a transaction.
void audit_operation(
    transaction& tx,
    std::string_view kind,
    std::optional<job_id> job,
    std::string_view subject,
    boost::json::object const& detail
);

struct audit_entry {
    lane_id lane{}; // 0 = none
    std::int64_t number = 0;
    std::string lane_key; // "" = no lane, or it is gone
    std::optional<job_id> job;
    std::string created_at; // ISO 8601 in UTC
    std::string kind;
    std::string actor;
    std::string subject;
    boost::json::value detail;
    std::string content_hash; // hex; "" = none
    std::string hash;         // hex
    std::optional<std::string> content;
};

struct audit_place {
    lane_id lane{};
    std::int64_t number = 0;
};

struct audit_filter {
    std::optional<job_id> job = {};
    std::string kind = {};
    std::string actor = {};
    std::optional<audit_place> before = {}; // a page: older than this one
    int limit = 50;
};

// Newest first, without contents. Throws as transaction::query() does, as the next ones.
std::vector<audit_entry> list_audit(transaction& tx, audit_filter const& filter);

// Chain by chain, in order, behind a place; contents included.
std::vector<audit_entry> export_audit(transaction& tx, audit_place after, int limit);
inline constexpr audit_place before_all_audit{lane_id{-1}, 0};

struct audit_check {
    std::int64_t links = 0;
    std::int64_t keyed = 0;                 // of these, with this session's key
    std::int64_t chains = 0;                // that begin among these links
    audit_place last = before_all_audit;    // of a chain that is broken its end
    std::optional<audit_place> broken = {}; // the first that does not hold; the look ends there
    std::string problem = {};
};

// The next `limit` links behind a place; fewer, and nothing broken = that was all.
audit_check verify_audit(transaction& tx, audit_place after, int limit);

} // namespace postrider::storage
