#include "storage/pg/connection.hpp"

namespace postrider::storage::pg {

std::unique_ptr<connection> connect(database_options const& options, purpose purpose) {
    bool const pipelined = purpose == purpose::batches && options.prepared;
    return pipelined ? connect_pipeline(options, purpose) : connect_pqxx(options, purpose);
}

} // namespace postrider::storage::pg
