#!/bin/sh
# Widgets on gtklock: save this as a program and lock by it. Without a module of its own, which is yet to be
# written, gtklock takes one picture when it starts. Not tried: gtklock is not in Debian 12.
folder=${XDG_RUNTIME_DIR:?}/tresor-widgets
picture=$folder/lock-screen.png
mkdir -p -m 700 "$folder"
rm -f "$picture"
@TRESOR@ lock >/dev/null &&
  @TRESOR@ widget render @KIND@ --family systemMedium --placement lockScreen --format png -o "$picture"
if [ -s "$picture" ]; then
  set -- --background "$picture" "$@"
fi
exec gtklock "$@"
