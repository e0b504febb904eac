#pragma once
// A unit that keeps a batcher busy, so that what comes meanwhile shares the next batch.
#include "storage/batcher.hpp"

#include <atomic>
#include <future>
#include <vector>

namespace postrider::tests {

// Keeps the connection busy: its stage blocks the batcher's thread until open() is called.
class busy_unit final : public storage::unit {
public:
    std::vector<storage::write> stage(int, std::vector<storage::rows> const&) override {
        begun = true;
        opened_.get_future().wait();
        return {};
    }
    void open() { opened_.set_value(); }

    std::atomic<bool> begun{false};

private:
    std::promise<void> opened_;
};

} // namespace postrider::tests
