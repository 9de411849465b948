// libfido2, for security keys. Its main header includes OpenSSL's, for types of public keys that nothing here needs.
#include <fido.h>
#include <fido/es256.h>
