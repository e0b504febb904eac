#include "tests/unit/net/certificates.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace postrider::tests {

namespace {

template<auto Free>
struct freed_by {
    template<class T>
    void operator()(T* pointer) const {
        Free(pointer);
    }
};
using key_ptr = std::unique_ptr<EVP_PKEY, freed_by<EVP_PKEY_free>>;
using x509_ptr = std::unique_ptr<X509, freed_by<X509_free>>;
using bio_ptr = std::unique_ptr<BIO, freed_by<BIO_free>>;

void check(bool fine) {
    if (!fine) throw std::runtime_error("OpenSSL refused to make a test certificate");
}

std::string text_of(BIO& bio) {
    std::string text;
    char part[512];
    for (int size; (size = BIO_read(&bio, part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(size));
    return text;
}

void extend(X509& certificate, X509& issuer, int kind, std::string const& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
    std::unique_ptr<X509_EXTENSION, freed_by<X509_EXTENSION_free>> extension{
        X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str())};
    check(extension && X509_add_ext(&certificate, extension.get(), -1) == 1);
}

// Valid from an hour ago for a day.
x509_ptr make_blank(EVP_PKEY& key, std::string const& name) {
    static long serial = 0;
    x509_ptr x509{X509_new()};
    check(X509_set_version(x509.get(), 2) == 1);
    ASN1_INTEGER_set(X509_get_serialNumber(x509.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(x509.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x509.get()), 86'400);
    X509_set_pubkey(x509.get(), &key);
    auto const bytes = reinterpret_cast<unsigned char const*>(name.c_str());
    X509_NAME_add_entry_by_txt(
        X509_get_subject_name(x509.get()), "CN", MBSTRING_UTF8, bytes, -1, -1, 0
    );
    return x509;
}

certificate to_pem(X509& x509, EVP_PKEY& key) {
    bio_ptr certificate_out{BIO_new(BIO_s_mem())};
    bio_ptr key_out{BIO_new(BIO_s_mem())};
    check(PEM_write_bio_X509(certificate_out.get(), &x509) == 1);
    check(
        PEM_write_bio_PrivateKey(key_out.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) == 1
    );
    return {text_of(*certificate_out), text_of(*key_out)};
}

} // namespace

certificate_authority::certificate_authority() {
    key_ptr key{EVP_EC_gen("P-256")};
    auto x509 = make_blank(*key, "test authority");
    X509_set_issuer_name(x509.get(), X509_get_subject_name(x509.get()));
    extend(*x509, *x509, NID_basic_constraints, "critical,CA:TRUE");
    extend(*x509, *x509, NID_key_usage, "critical,keyCertSign");
    check(X509_sign(x509.get(), key.get(), EVP_sha256()) > 0);
    own_ = to_pem(*x509, *key);
}

certificate certificate_authority::issue(std::string const& subject_alternative_name) const {
    bio_ptr certificate_in{BIO_new_mem_buf(own_.pem.data(), -1)};
    bio_ptr key_in{BIO_new_mem_buf(own_.key_pem.data(), -1)};
    x509_ptr issuer{PEM_read_bio_X509(certificate_in.get(), nullptr, nullptr, nullptr)};
    key_ptr issuer_key{PEM_read_bio_PrivateKey(key_in.get(), nullptr, nullptr, nullptr)};
    check(issuer && issuer_key);

    key_ptr key{EVP_EC_gen("P-256")};
    auto x509 = make_blank(*key, "test server");
    X509_set_issuer_name(x509.get(), X509_get_subject_name(issuer.get()));
    extend(*x509, *issuer, NID_subject_alt_name, subject_alternative_name);
    check(X509_sign(x509.get(), issuer_key.get(), EVP_sha256()) > 0);
    return to_pem(*x509, *key);
}

} // namespace postrider::tests
