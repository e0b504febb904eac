#include "storage/refusals.hpp"

#include "base/log.hpp"
#include "storage/pg/failure.hpp"

namespace postrider::storage {

namespace {

class noting_batcher final : public batcher {
public:
    noting_batcher(std::unique_ptr<batcher> inner, std::string name, refusals& watch)
        : inner_(std::move(inner)),
          name_(std::move(name)),
          watch_(watch) {}

    base::awaitable<base::result<void>> commit(std::shared_ptr<unit> what, base::duration deadline)
        override {
        auto done = co_await inner_->commit(std::move(what), deadline);
        watch_.note(name_, done);
        co_return done;
    }

    batcher_counts counts() const override { return inner_->counts(); }
    void close() override { inner_->close(); }

private:
    std::unique_ptr<batcher> inner_;
    std::string name_;
    refusals& watch_;
};

} // namespace

void refusals::note(std::string_view batcher, base::result<void> const& outcome) {
    if (outcome)
        note_committed();
    else if (auto const reason = pg::lasting_refusal(outcome.error()))
        note_refused(batcher, outcome.error(), std::string(*reason));
}

void refusals::note_refused(
    std::string_view batcher, base::error const& error, std::string reason
) {
    last_ = clock_.steady();
    if (!reason_)
        base::log::error(
            "database.commits_refused", {{"batcher", std::string(batcher)}, {"error", error}}
        );
    if (reason_ == reason) return;
    reason_ = std::move(reason);
    changed_(reason_);
}

void refusals::note_committed() {
    // What needs no room, a heartbeat for one, is committed on a full disk too.
    if (!reason_ || clock_.steady() - last_ < quiet) return;
    reason_.reset();
    base::log::info("database.commits_resumed");
    changed_(reason_);
}

std::unique_ptr<batcher> note_refusals(
    std::unique_ptr<batcher> of, std::string name, refusals& watch
) {
    return std::make_unique<noting_batcher>(std::move(of), std::move(name), watch);
}

} // namespace postrider::storage
