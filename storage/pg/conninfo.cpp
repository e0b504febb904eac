#include "storage/pg/conninfo.hpp"

#include <libpq-fe.h>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace postrider::storage::pg {

namespace {

using keywords = std::map<std::string, std::string>;

keywords parse(std::string const& url) {
    char* complaint = nullptr;
    std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed{
        PQconninfoParse(url.c_str(), &complaint), &PQconninfoFree};
    // The complaint may quote a password.
    PQfreemem(complaint);
    if (!parsed) throw database_error("the database URL is not understood by libpq");
    keywords found;
    for (auto const* option = parsed.get(); option->keyword; ++option)
        if (option->val) found.emplace(option->keyword, option->val);
    return found;
}

std::string milliseconds(base::duration d) {
    return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(d).count());
}

// A process that was stopped in the middle of a transaction must not hold row locks for long.
constexpr base::duration idle_in_transaction{std::chrono::seconds{10}};

// A batch is worth waiting for as long as a commit of others takes; see storage/batcher.hpp.
constexpr base::duration batch_lock_wait{std::chrono::milliseconds{250}};

std::vector<std::pair<std::string_view, std::string>> settings(
    database_options const& options, purpose purpose
) {
    std::vector<std::pair<std::string_view, std::string>> pairs{
        {"search_path", "postrider"},
        {"timezone", "UTC"},
        {"client_min_messages", "error"},
        {"jit", "off"}, // a switched-off scan that is used all the same has a cost of 10^10: it
                        // would compile
        {"statement_timeout", milliseconds(options.statement_timeout)},
        {"idle_in_transaction_session_timeout", milliseconds(idle_in_transaction)},
    };
    // A statement of the product is meant to walk indexes. A plan that was made while a table was
    // empty costs 600 to 1400 ms per batch at 10^5 rows; with these, under 1 ms.
    pairs.emplace_back("enable_seqscan", "off");
    auto const lock_wait = purpose == purpose::batches ? batch_lock_wait : options.lock_timeout;
    if (lock_wait > base::duration{0}) pairs.emplace_back("lock_timeout", milliseconds(lock_wait));
    if (purpose == purpose::batches) {
        pairs.emplace_back("enable_bitmapscan", "off");
        // Their parameters tell a planner nothing but the range of jobs, and partitions outside of it
        // are left out when execution begins. Left to choose, Postgres plans anew each time.
        pairs.emplace_back("plan_cache_mode", "force_generic_plan");
    }
    return pairs;
}

} // namespace

std::string conninfo(database_options const& options, purpose purpose) {
    auto words = parse(options.url);
    auto const connect = std::chrono::ceil<std::chrono::seconds>(options.connect_timeout);
    words.try_emplace("connect_timeout", std::to_string(connect.count()));
    words.try_emplace("tcp_user_timeout", milliseconds(longest_silence(options)));
    words.try_emplace("keepalives_idle", "30");
    words.try_emplace("keepalives_interval", "10");
    words["application_name"] = options.application;
    words["client_encoding"] = "UTF8";
    // With several hosts only the primary is of use; without this a standby would be taken.
    if ((words["host"] + words["hostaddr"]).find(',') != std::string::npos)
        words.try_emplace("target_session_attrs", "read-write");
    if (options.prepared)
        for (auto const& [name, value] : settings(options, purpose))
            words["options"].append(" -c ").append(name).append("=").append(value);
    if (options.prepared && !options.audit_key.empty())
        words["options"].append(" -c postrider.audit_key=").append(options.audit_key.reveal());
    std::string text;
    for (auto const& [word, value] : words)
        if (!value.empty()) text.append(word).append("=").append(in_quotes(value)).append(" ");
    return text;
}

std::string local_settings(database_options const& options, purpose purpose) {
    std::string text;
    for (auto const& [name, value] : settings(options, purpose))
        text.append("; set local ").append(name).append(" = '").append(value).append("'");
    return text;
}

base::duration longest_silence(database_options const& options) noexcept {
    return options.statement_timeout + options.connect_timeout;
}

std::string in_quotes(std::string_view value) {
    std::string text = "'";
    for (char c : value) {
        if (c == '\'' || c == '\\') text += '\\';
        text += c;
    }
    return text + "'";
}

} // namespace postrider::storage::pg
