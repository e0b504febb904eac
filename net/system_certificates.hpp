#pragma once
// The certificates that this system trusts, for TLS clients. Reading them takes 25 to 60 ms, so
// that is done once in a process, and all clients share what was read: a process that is to trust
// others is started anew. SSL_CERT_FILE and SSL_CERT_DIR name others than the system's. Threads:
// any; a caller that comes while they are read waits for it.

struct x509_store_st;

namespace postrider::net {

// Of the process, for its whole life. Never null.
x509_store_st* system_certificates();

} // namespace postrider::net
