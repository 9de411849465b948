// libqrencode, for QR codes of secrets.
#include <qrencode.h>
