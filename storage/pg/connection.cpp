#include "storage/pg/connection.hpp"

namespace postrider::storage::pg {

std::unique_ptr<connection> connect(database_options const& options, purpose what_for) {
    bool const pipelined = what_for == purpose::batches && options.prepared;
    return pipelined ? connect_pipeline(options, what_for) : connect_pqxx(options, what_for);
}

} // namespace postrider::storage::pg
