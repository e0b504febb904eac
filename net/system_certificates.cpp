#include "net/system_certificates.hpp"

#include <openssl/x509_vfy.h>

#include <memory>
#include <new>

namespace postrider::net {

namespace {

struct free_store {
    void operator()(X509_STORE* store) const { X509_STORE_free(store); }
};
using store_owner = std::unique_ptr<X509_STORE, free_store>;

// A system without certificates has an empty store: each handshake fails then, and says so.
store_owner read_certificates() {
    store_owner store(X509_STORE_new());
    if (!store || X509_STORE_set_default_paths(store.get()) != 1) throw std::bad_alloc();
    return store;
}

} // namespace

x509_store_st* system_certificates() {
    static store_owner const store = read_certificates();
    return store.get();
}

} // namespace postrider::net
