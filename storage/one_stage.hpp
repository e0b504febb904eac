#pragma once
// Units whose stages can be one, for what comes most often: a batch of nothing else is one round
// trip, begin and commit included.
//
// Where all units of a batch fit, each is asked for only_stage() in place of its stages. So a
// transaction has the rows of one stage or of several, never both: what a statement of the one stage
// locks in one pass is not locked in a second pass by a neighbour's later stages. Where a statement of the
// one stage finds that it was sent too early (postrider.lane_differs), the batch begins again by stages.
#include "storage/batcher.hpp"

#include <vector>

namespace postrider::storage {

class one_stage_unit : public unit {
public:
    // On the batcher's thread, like stage(). False once only_stage() was called: a unit that starts
    // again takes its stages.
    virtual bool fits_one_stage() const = 0;
    // All rows that the unit asks for. What they returned comes to stage(1), after the commit.
    virtual std::vector<write> only_stage() = 0;
};

} // namespace postrider::storage
