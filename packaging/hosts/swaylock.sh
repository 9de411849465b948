#!/bin/sh
# Widgets on swaylock: save this as a program and lock by it, as in
#   swayidle -w lock tresor-swaylock before-sleep tresor-swaylock
# swaylock takes one picture, when it starts. So the device is locked first: what is drawn then holds no secret.
folder=${XDG_RUNTIME_DIR:?}/tresor-widgets
picture=$folder/lock-screen.png
mkdir -p -m 700 "$folder"
rm -f "$picture"
@TRESOR@ lock >/dev/null &&
  @TRESOR@ widget render @KIND@ --family systemMedium --placement lockScreen --format png -o "$picture"
set -- --color 16161e --indicator-radius 60 "$@"
if [ -s "$picture" ]; then
  set -- --image "$picture" --scaling center "$@"
fi
exec swaylock "$@"
