-- What a lane's row says while the lane has no work; postrider.idle_lanes() sets the same.
ready_at = null, node_id = null, head = null, arrivals = 0, edits = 0, priority = 3, suspect = 0, wants_mail = false,
        asked = null, wait_reason = null, quiet_until = null, left_by = null
