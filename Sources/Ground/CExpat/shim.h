// Expat, for other password managers' exports in XML.
#include <expat.h>
