// libsystemd's D-Bus client, sd-bus(3). Only calls without variable arguments are used, so nothing is wrapped.
#include <systemd/sd-bus.h>
