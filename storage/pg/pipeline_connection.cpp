// A session for batches, by libpq's pipeline mode: what one stage of a batch asks for travels in
// one round trip, together with the begin before it and the commit after it. A transaction that is
// one stage needs neither: Postgres commits what stands before a sync as one. Source: PostgreSQL 15
// documentation, sections 34.5 "Pipeline Mode" and 55.2.3 "Extended Query".
#include "base/json/nul.hpp"
#include "base/log.hpp"
#include "storage/pg/connection.hpp"
#include "storage/pg/plan_renewal.hpp"
#include "storage/pg/socket_copy.hpp"

#include <array>
#include <cerrno>
#include <libpq-fe.h>
#include <optional>
#include <poll.h>
#include <unordered_map>

namespace postrider::storage::pg {

namespace {

using result_pointer = std::unique_ptr<PGresult, decltype(&PQclear)>;

rows copy_result(PGresult const* result) {
    auto const columns = PQnfields(result);
    auto const lines = PQntuples(result);
    auto copied = std::make_shared<cells>(static_cast<std::size_t>(columns));
    copied->reserve(static_cast<std::size_t>(columns) * static_cast<std::size_t>(lines));
    for (int line = 0; line < lines; ++line) {
        for (int column = 0; column < columns; ++column) {
            if (PQgetisnull(result, line, column) != 0) {
                copied->add_null();
                continue;
            }
            auto const size = static_cast<std::size_t>(PQgetlength(result, line, column));
            copied->add({PQgetvalue(result, line, column), size});
        }
    }
    return rows_of(std::move(copied), static_cast<std::size_t>(lines));
}

// The first refusal within a round trip; the server passes over all that follows it.
struct refusal {
    std::string sqlstate;
    std::string command;
    std::string message;
};

class pipeline_connection final : public connection {
public:
    pipeline_connection(database_options const& options, purpose purpose)
        : application_(options.application),
          longest_silence_(std::chrono::ceil<std::chrono::milliseconds>(longest_silence(options))),
          db_(PQconnectdb(conninfo(options, purpose).c_str()), &PQfinish) {
        PQsetNoticeProcessor(
            db_.get(), [](void*, char const*) {}, nullptr
        ); // else they go to stderr
        bool const connected = PQstatus(db_.get()) == CONNECTION_OK &&
                               PQsetnonblocking(db_.get(), 1) == 0 &&
                               PQenterPipelineMode(db_.get()) == 1;
        // The text names host, user and database, never the password.
        if (!connected)
            throw failure(
                {base::errc::unavailable,
                 "cannot connect: " + first_line(PQerrorMessage(db_.get()))}
            );
        socket_.emplace(PQsocket(db_.get()));
    }

    // Travels with the first requests, or is left out where these are all.
    void begin() override {
        renew_when_due();
        failed_ = false;
        transaction_ = transaction_state::announced;
    }

    void commit() override {
        if (failed_) throw database_error("a transaction went on after a failed query");
        auto const before = std::exchange(transaction_, transaction_state::none);
        if (before == transaction_state::announced) return;
        send_commit();
        finish(commit_mode::together);
    }

    void rollback() noexcept override {
        failed_ = false;
        bool const began =
            std::exchange(transaction_, transaction_state::none) == transaction_state::open;
        if (began && open()) {
            try {
                send("rollback");
                finish(commit_mode::none);
            } catch (std::exception const&) {
                broken_ = true;
            }
        }
        if (!open()) break_off(); // or its server process would keep what it has locked
    }

    rows query(statement const& statement, std::vector<param> const& params) override {
        std::vector<char const*> values;
        values.reserve(params.size());
        for (auto const& value : params) {
            if (value.text()) refuse_nul(statement, *value.text());
            values.push_back(value.text() ? value.text()->c_str() : nullptr);
        }
        if (transaction_ == transaction_state::none) renew_when_due();
        open_transaction();
        send(statement, values);
        return std::move(finish(commit_mode::none).back());
    }

    std::vector<rows> query_all(std::span<request const> requests, commit_mode mode) override {
        for (auto const& request : requests) refuse_nul(*request.statement, request.json);
        if (transaction_ == transaction_state::none) renew_when_due();
        bool const implicit =
            mode == commit_mode::together && transaction_ == transaction_state::announced;
        if (!implicit) open_transaction();
        for (auto const& request : requests) {
            auto const least = std::to_string(request.least);
            auto const greatest = std::to_string(request.greatest);
            std::array const values{request.json.c_str(), least.c_str(), greatest.c_str()};
            bool const ranged = request.statement->takes == rows_and_range;
            send(*request.statement, std::span(values).first(ranged ? 3 : 1));
            if (mode == commit_mode::each) sync();
        }
        if (mode == commit_mode::together && !implicit) send_commit();
        auto found = finish(mode);
        if (mode == commit_mode::together) transaction_ = transaction_state::none;
        return found;
    }

    void script(std::string_view sql) override {
        if (transaction_ == transaction_state::announced) {
            open_transaction();
            finish(commit_mode::none);
        }
        if (PQexitPipelineMode(db_.get()) != 1)
            throw database_error("a script in the middle of a batch");
        result_pointer const result{PQexec(db_.get(), std::string(sql).c_str()), &PQclear};
        auto const status = PQresultStatus(result.get());
        bool const back = PQenterPipelineMode(db_.get()) == 1;
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            fail(refusal_of(result.get(), "script"));
        if (!back) fail({"08006", "script", ""});
    }

    void renew_plans() override {
        send("deallocate all");
        finish(commit_mode::none);
        known_.clear();
    }

    bool can_query_alone() const noexcept override { return true; }

    bool quiet() const noexcept override { return socket_->quiet(); }

    bool open() const noexcept override { return !broken_ && PQstatus(db_.get()) == CONNECTION_OK; }
    int silent_process() const noexcept override { return silent_process_; }
    int server_version() const noexcept override { return PQserverVersion(db_.get()) / 10'000; }
    void break_off() noexcept override { socket_->shut_down(); }

private:
    enum class transaction_state {
        none,
        announced, // begin() was called and nothing has been sent
        open,
    };
    struct prepared_statement {
        std::string name;
        std::string_view sql;
    };
    // What was sent and has not been answered.
    struct command {
        enum class kind { control, query, sync };
        kind is = kind::control;
        std::string_view name; // of the statement, or the control command itself
    };

    // libpq would cut the text there.
    void refuse_nul(statement const& statement, std::string_view text) {
        if (!base::has_nul(text)) return;
        failed_ = true;
        throw failure(
            {base::errc::poison, "NUL byte in a parameter of " + std::string(statement.name)}
        );
    }

    void renew_when_due() {
        if (!known_.empty() && renewal_.due(executions_)) renew_plans();
    }

    void open_transaction() {
        if (transaction_ != transaction_state::announced) return;
        send("begin");
        transaction_ = transaction_state::open;
    }

    void send(char const* control) {
        check(PQsendQueryParams(db_.get(), control, 0, nullptr, nullptr, nullptr, nullptr, 0));
        sent_.push_back({command::kind::control, control});
    }

    void send(statement const& statement, std::span<char const* const> values) {
        ++executions_;
        auto const count = static_cast<int>(values.size());
        auto const& name = prepare(statement);
        check(
            PQsendQueryPrepared(db_.get(), name.c_str(), count, values.data(), nullptr, nullptr, 0)
        );
        sent_.push_back({command::kind::query, statement.name});
    }

    // Every preparation has a name of its own: one whose round trip failed may stand or not.
    std::string const& prepare(statement const& statement) {
        auto found = known_.find(statement.name);
        if (found != known_.end() && found->second.sql != statement.sql)
            throw database_error("two statements are named " + std::string(statement.name));
        if (found != known_.end()) return found->second.name;
        auto name = std::string(statement.name) + "/" + std::to_string(++preparations_);
        check(PQsendPrepare(db_.get(), name.c_str(), std::string(statement.sql).c_str(), 0, nullptr)
        );
        sent_.push_back({command::kind::control, statement.name});
        unproved_.push_back(statement.name);
        prepared_statement prepared{std::move(name), statement.sql};
        return known_.emplace(statement.name, std::move(prepared)).first->second.name;
    }

    void send_commit() {
        send("commit");
        commit_sent_ = true;
    }

    void sync() {
        check(PQpipelineSync(db_.get()));
        sent_.push_back({command::kind::sync, "sync"});
    }

    // Ends the round trip: the rows of every query that was sent.
    std::vector<rows> finish(commit_mode mode) {
        if (sent_.empty() || sent_.back().is != command::kind::sync) sync();
        std::vector<rows> results;
        auto const refused = receive(results);
        sent_.clear();
        commit_sent_ = false;
        if (!refused) {
            unproved_.clear();
            return results;
        }
        for (auto name : unproved_) known_.erase(name);
        unproved_.clear();
        if (mode != commit_mode::together || open()) fail(*refused);
        // A refusal is certain; a lost answer is not.
        throw failure(
            {base::errc::ambiguous, refused->sqlstate + " while committing", refused->sqlstate}
        );
    }

    // What the server refused. Behind a commit that it has confirmed nothing is: a server that is
    // stopped may end the connection before it answers the sync.
    std::optional<refusal> receive(std::vector<rows>& results) {
        std::optional<refusal> first;
        bool committed = false;
        for (auto const& each : sent_) {
            for (auto answer = next(); answer; answer = next()) {
                auto const status = PQresultStatus(answer.get());
                if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
                    if (each.is == command::kind::query)
                        results.push_back(copy_result(answer.get()));
                    committed = committed || is_commit(answer.get());
                } else if (status == PGRES_FATAL_ERROR && !first) {
                    first = refusal_of(answer.get(), each.name);
                }
                if (status == PGRES_PIPELINE_SYNC) break; // nothing follows it
            }
            if (!connected()) break;
        }
        if (!first && !connected())
            first = refusal{"08006", std::string(sent_.front().name), "the connection is lost"};
        if (!committed || !first) return first;
        broken_ = true;
        return std::nullopt;
    }

    static bool is_commit(PGresult* answer) {
        return std::string_view(PQcmdStatus(answer)) == "COMMIT";
    }

    bool connected() const { return PQstatus(db_.get()) == CONNECTION_OK; }

    // The next result; null at the end of a command's results, and when the connection is lost. A
    // process that is frozen keeps its socket, so nothing but the time tells of it.
    result_pointer next() {
        while (connected()) {
            int const unsent = PQflush(db_.get());
            if (unsent < 0) break;
            if (PQisBusy(db_.get()) == 0) break;
            short const writable = unsent > 0 ? POLLOUT : 0;
            pollfd ready{socket_->fd(), static_cast<short>(POLLIN | writable), 0};
            auto const limit = static_cast<int>(longest_silence_.count());
            int const heard = ::poll(&ready, 1, limit);
            if (heard < 0 && errno != EINTR) break;
            if (heard == 0) give_up();
            if ((ready.revents & ~POLLOUT) != 0 && PQconsumeInput(db_.get()) == 0) break;
        }
        return {PQgetResult(db_.get()), &PQclear};
    }

    void give_up() {
        silent_process_ = PQbackendPID(db_.get());
        base::log::warn(
            "database.silent",
            {{"connection", application_}, {"pid", silent_process_}, {"for", longest_silence_}}
        );
        break_off();
    }

    refusal refusal_of(PGresult const* answer, std::string_view name) const {
        auto const* state = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
        auto const* message = PQresultErrorField(answer, PG_DIAG_MESSAGE_PRIMARY);
        return {
            state ? state : (connected() ? "" : "08006"),
            std::string(name),
            message ? message : PQresultErrorMessage(answer)};
    }

    [[noreturn]] void fail(refusal const& refused) {
        failed_ = true;
        if (ends_connection(refused.sqlstate) || !connected()) broken_ = true;
        raise(refused.sqlstate, refused.command, refused.message);
    }

    void check(int accepted) {
        if (accepted == 1) return;
        sent_.clear();
        broken_ = true; // what was sent before it is not told apart any more
        failed_ = true;
        auto const code =
            std::exchange(commit_sent_, false) ? base::errc::ambiguous : base::errc::unavailable;
        throw failure({code, "08006: the connection takes no more"});
    }

    std::string application_;
    std::chrono::milliseconds longest_silence_;
    std::unique_ptr<PGconn, decltype(&PQfinish)> db_;
    std::optional<socket_copy> socket_; // once it is connected
    transaction_state transaction_ = transaction_state::none;
    bool failed_ = false;
    bool broken_ = false;
    bool commit_sent_ = false; // and not answered
    int silent_process_ = 0;
    std::uint64_t executions_ = 0;
    plan_renewal renewal_;
    std::uint64_t preparations_ = 0;
    std::unordered_map<std::string_view, prepared_statement> known_;
    std::vector<std::string_view> unproved_; // prepared in this round trip
    std::vector<command> sent_;
};

} // namespace

std::unique_ptr<connection> connect_pipeline(database_options const& options, purpose purpose) {
    return std::make_unique<pipeline_connection>(options, purpose);
}

} // namespace postrider::storage::pg
