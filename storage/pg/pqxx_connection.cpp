#include "base/json/nul.hpp"
#include "storage/pg/connection.hpp"
#include "storage/pg/plan_renewal.hpp"
#include "storage/pg/socket_copy.hpp"

#include <pqxx/pqxx>

#include <unordered_map>

#if defined(__SANITIZE_ADDRESS__)
// libpqxx 6.4 loses one PGresult with each connection that breaks during a call.
extern "C" char const* __lsan_default_suppressions() {
    return "leak:PQmakeEmptyPGresult\n";
}
#endif

namespace postrider::storage::pg {

namespace {

// What differs between libpqxx 6.4 (Debian 12) and 7.
namespace compatible {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#if PQXX_VERSION_MAJOR >= 7
using connection = pqxx::connection;
using parameters = pqxx::params;

void stay_broken(connection&) {}

parameters make_parameters(std::vector<param> const& values) {
    parameters converted;
    for (auto const& value : values) {
        if (value.text())
            converted.append(*value.text());
        else
            converted.append();
    }
    return converted;
}
#else
using connection = pqxx::connection;
using parameters = std::vector<char const*>; // a null pointer is a null

// Version 6 would reconnect in the middle of what we believe to be a transaction.
void stay_broken(connection& c) {
    c.inhibit_reactivation(true);
}

parameters make_parameters(std::vector<param> const& values) {
    parameters converted;
    converted.reserve(values.size());
    for (auto const& value : values)
        converted.push_back(value.text() ? value.text()->c_str() : nullptr);
    return converted;
}
#endif

pqxx::result exec_prepared(
    pqxx::transaction_base& tx, std::string const& name, parameters const& p
) {
#if PQXX_VERSION_MAJOR >= 7
    return tx.exec_prepared(name, p);
#else
    return tx.exec_prepared(name, pqxx::prepare::make_dynamic_params(p));
#endif
}

pqxx::result exec_unnamed(pqxx::transaction_base& tx, std::string const& sql, parameters const& p) {
#if PQXX_VERSION_MAJOR >= 7
    return tx.exec_params(sql, p);
#else
    return tx.exec_params(sql, pqxx::prepare::make_dynamic_params(p));
#endif
}
#pragma GCC diagnostic pop

} // namespace compatible

rows copy_result(pqxx::result const& result) {
    auto copied = std::make_shared<cells>(static_cast<std::size_t>(result.columns()));
    for (auto const& line : result) {
        for (auto const& field : line) {
            if (field.is_null())
                copied->add_null();
            else
                copied->add({field.c_str(), field.size()});
        }
    }
    return rows_of(std::move(copied), static_cast<std::size_t>(result.size()));
}

// As a parameter: pg_stat_activity shows a statement's text to others of the role.
constexpr statement set_audit_key{
    "audit_key", "select set_config('postrider.audit_key', $1, true) is null"};

class pqxx_connection final : public connection {
public:
    pqxx_connection(database_options const& options, purpose purpose)
        : prepared_(options.prepared),
          audit_key_(options.prepared ? base::secret{} : options.audit_key),
          db_(conninfo(options, purpose)),
          socket_(db_.sock()) {
        compatible::stay_broken(db_);
        if (!prepared_) begin_ += local_settings(options, purpose);
    }

    void begin() override {
        renew_when_due();
        failed_ = false;
        guarded("begin", [&] { plain(begin_); });
        in_transaction_ = true;
        if (!audit_key_.empty()) query(set_audit_key, {std::string(audit_key_.reveal())});
    }

    void commit() override {
        if (failed_) throw database_error("a transaction went on after a failed query");
        in_transaction_ = false;
        try {
            guarded("commit", [&] { plain("commit"); });
        } catch (failure const& f) {
            // A refusal (a deferred constraint) is certain; a lost answer is not.
            if (open()) throw;
            throw failure({base::errc::ambiguous, f.error.detail});
        }
    }

    void rollback() noexcept override {
        failed_ = false;
        if (std::exchange(in_transaction_, false)) {
            try {
                if (open()) plain("rollback");
            } catch (std::exception const&) {
                broken_ = true;
            }
        }
        if (!open()) break_off(); // or its server process would keep what it has locked
    }

    rows query(statement const& statement, std::vector<param> const& params) override {
        for (auto const& p : params)
            if (p.text() && base::has_nul(*p.text())) refuse_nul(statement);
        if (!in_transaction_) renew_when_due();
        ++executions_;
        return guarded(statement.name, [&] {
            return copy_result(execute(statement, compatible::make_parameters(params)));
        });
    }

    std::vector<rows> query_all(std::span<request const> requests, commit_mode mode) override {
        std::vector<rows> results;
        results.reserve(requests.size());
        for (auto const& request : requests) {
            std::vector<param> params{request.json};
            if (request.statement->takes == rows_and_range)
                params.insert(params.end(), {request.least, request.greatest});
            results.push_back(query(*request.statement, params));
        }
        if (mode == commit_mode::together) commit();
        return results;
    }

    void script(std::string_view sql) override {
        guarded("script", [&] { plain(std::string(sql)); });
    }

    void renew_plans() override {
        // New names: what libpqxx believes about the old ones does not matter then.
        guarded("renew", [&] { plain("deallocate all"); });
        known_.clear();
        ++generation_;
    }

    bool can_query_alone() const noexcept override { return prepared_; }

    bool quiet() const noexcept override { return socket_.quiet(); }

    bool open() const noexcept override { return !broken_ && db_.is_open(); }
    int server_version() const noexcept override { return db_.server_version() / 10'000; }
    void break_off() noexcept override { socket_.shut_down(); }

private:
    struct prepared_statement {
        std::string name;
        std::string_view sql;
    };

    pqxx::result execute(statement const& statement, compatible::parameters const& params) {
        pqxx::nontransaction tx{db_};
        if (!prepared_) return compatible::exec_unnamed(tx, std::string(statement.sql), params);
        auto prepared = known_.find(statement.name);
        if (prepared == known_.end()) {
            auto name = std::string(statement.name) + "/" + std::to_string(generation_);
            db_.prepare(name, std::string(statement.sql));
            prepared =
                known_.emplace(statement.name, prepared_statement{std::move(name), statement.sql})
                    .first;
        } else if (prepared->second.sql != statement.sql) {
            throw database_error("two statements are named " + std::string(statement.name));
        }
        return compatible::exec_prepared(tx, prepared->second.name, params);
    }

    // libpq would cut the text there.
    [[noreturn]] void refuse_nul(statement const& statement) {
        failed_ = true;
        throw failure(
            {base::errc::poison, "NUL byte in a parameter of " + std::string(statement.name)}
        );
    }

    void plain(std::string const& sql) {
        pqxx::nontransaction tx{db_};
        tx.exec(sql);
    }

    void renew_when_due() {
        if (!known_.empty() && renewal_.due(executions_)) renew_plans();
    }

    // Runs the call and translates what libpqxx throws.
    template<class Call>
    auto guarded(std::string_view command, Call call) -> decltype(call()) {
        try {
            return call();
        } catch (pqxx::serialization_failure const& e) {
            fail("40001", command, e.what());
        } catch (pqxx::deadlock_detected const& e) {
            fail("40P01", command, e.what());
        } catch (pqxx::insufficient_privilege const& e) { // version 6 leaves its SQLSTATE out
            deny(command, e.what());
        } catch (pqxx::sql_error const& e) {
            fail(e.sqlstate(), command, e.what());
        } catch (pqxx::too_many_connections const& e) {
            fail("53300", command, e.what());
        } catch (pqxx::broken_connection const& e) {
            fail("08006", command, e.what());
        } catch (pqxx::failure const& e) {
            fail(open() ? "" : "08006", command, e.what());
        }
    }

    [[noreturn]] void fail(std::string state, std::string_view command, std::string_view message) {
        failed_ = true;
        if (state.empty() && !db_.is_open()) state = "08006";
        if (ends_connection(state)) broken_ = true;
        raise(state, command, message);
    }

    // Postgres names the object, but not who asked.
    [[noreturn]] void deny(std::string_view command, std::string_view message) {
        auto const* role = db_.username();
        auto const actor = role ? "role " + std::string(role) : std::string("this role");
        fail(
            std::string(not_permitted),
            command,
            first_line(message) + ": " + actor + " may not do that"
        );
    }

    bool prepared_;
    base::secret audit_key_; // for each transaction, where no session is its own
    std::string begin_ = "begin";
    compatible::connection db_;
    socket_copy socket_;
    bool in_transaction_ = false;
    bool failed_ = false;
    bool broken_ = false;
    std::uint64_t executions_ = 0;
    plan_renewal renewal_;
    int generation_ = 1;
    std::unordered_map<std::string_view, prepared_statement> known_;
};

} // namespace

std::unique_ptr<connection> connect_pqxx(database_options const& options, purpose purpose) {
    try {
        return std::make_unique<pqxx_connection>(options, purpose);
    } catch (pqxx::failure const& e) {
        // The text names host, user and database, never the password.
        throw failure({base::errc::unavailable, "cannot connect: " + first_line(e.what())});
    }
}

} // namespace postrider::storage::pg
