/// What hosts get into their configuration: the files of packaging/hosts once more.
///
/// What lies between `@EACH` and `@END` stands once for every kind; `@KIND@` is it, `@ID@` the same with `-` for
/// all but letters and digits, `@KINDS@` are all, and `@TRESOR@` is this program.
enum HostLines {
    /// By the host's name, in alphabetical order, with the file's name.
    static let all: [(host: String, file: String, lines: String)] = [
        ("conky", "conky.conf", conky),
        ("eww", "eww.yuck", eww),
        ("glance", "glance.yml", glance),
        ("gtklock", "gtklock.sh", gtklock),
        ("homepage", "homepage.yaml", homepage),
        ("hyprlock", "hyprlock.conf", hyprlock),
        ("i3bar", "i3bar.conf", i3bar),
        ("i3blocks", "i3blocks.conf", i3blocks),
        ("polybar", "polybar.ini", polybar),
        ("swaybar", "swaybar.conf", swaybar),
        ("swaylock", "swaylock.sh", swaylock),
        ("tmux", "tmux.conf", tmux),
        ("waybar-style", "waybar-style.css", waybarStyle),
        ("waybar", "waybar.jsonc", waybar),
    ]

    /// All of them, for people.
    static var names: String { all.map(\.host).joined(separator: ", ") }

    private static let conky = #"""
        -- Widgets for conky: save this as ~/.config/conky/tresor.conf and start 'conky -c ~/.config/conky/tresor.conf'.
        -- conky must not keep pictures: imlib_cache_size is 0 and every picture has -n.
        local folder = os.getenv("XDG_RUNTIME_DIR") .. "/tresor-widgets"
        local kinds = "@KINDS@"
        local width, height, gap = 338, 158, 12

        -- The stream ends when conky does, for its output is this pipe; if it ends before, nothing is shown.
        local stream = "@TRESOR@ widget stream --host image --family systemMedium --output '" .. folder .. "' " .. kinds
        tresor = io.popen("echo $$; exec " .. stream)
        local text, row = "${if_existing /proc/" .. tresor:read("l") .. "/exe}", 0
        for kind in kinds:gmatch("%S+") do
            local place = string.format("-p 0,%d -s %dx%d -n", row * (height + gap), width, height)
            text = text .. "${image " .. folder .. "/" .. kind .. ".png " .. place .. "}"
            row = row + 1
        end

        conky.config = {
            alignment = "top_right",
            gap_x = 24,
            gap_y = 48,
            minimum_width = width,
            minimum_height = row * (height + gap) - gap,
            own_window = true,
            own_window_type = "override",
            own_window_colour = "16161e",
            double_buffer = true,
            update_interval = 0.25,
            imlib_cache_size = 0,
            draw_borders = false,
        }
        conky.text = text .. "${endif}"

        """#

    private static let eww = #"""
        ; Widgets for eww: put this into ~/.config/eww/eww.yuck and place (tresor-KIND), dots as "-", where you want it.
        ; Not tried: eww is not in Debian 12.
        @EACH
        (deflisten tresor-@ID@-frame :initial '{"state": "placeholder", "text": "@KIND@, locked"}'
          `exec @TRESOR@ widget stream --host json @KIND@`)
        (defwidget tresor-@ID@ []
          (label :class "tresor ${tresor-@ID@-frame.state}" :text "${tresor-@ID@-frame.text}"))
        @END

        """#

    private static let glance = #"""
        # Widgets for glance: put this into a column of your glance.yml. Not tried: glance is not in Debian 12.
        # Start 'tresor widget serve', and put in place of each TOKEN what 'tresor widget token add KIND' prints.
        @EACH
        # tresor widget token add @KIND@
        - type: iframe
          title: @KIND@
          source: http://127.0.0.1:4747/w/TOKEN
          height: 200
        @END

        """#

    private static let gtklock = #"""
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

        """#

    private static let homepage = #"""
        # Widgets for homepage: put this into a group of your services.yaml. Not tried: homepage is not in Debian 12.
        # Start 'tresor widget serve', and put in place of each TOKEN what 'tresor widget token add KIND' prints.
        @EACH
        # tresor widget token add @KIND@
        - @KIND@:
            widget:
              type: iframe
              name: @KIND@
              src: http://127.0.0.1:4747/w/TOKEN
        @END

        """#

    private static let hyprlock = #"""
        # Widgets on hyprlock: put this into ~/.config/hypr/hyprlock.conf, and lock by 'tresor lock; hyprlock'.
        # Not tried: hyprlock is not in Debian 12.
        @EACH
        label {
            monitor =
            text = cmd[update:1000] @TRESOR@ widget render @KIND@ --family accessoryInline --placement lockScreen
            color = rgb(242, 242, 247)
            font_size = 16
            halign = center
            valign = bottom
        }
        @END

        """#

    private static let i3bar = #"""
        # Widgets for i3bar: put this into ~/.config/i3/config. A bar has one status_command; a second bar may stand
        # beside i3status's. For other blocks on the same bar see 'tresor widget install i3blocks'.
        bar {
            position bottom
            font pango:DejaVu Sans 10
            status_command exec @TRESOR@ widget stream --host i3bar @KINDS@
            colors {
                background #16161e
                statusline #f2f2f7
                separator  #44475a
            }
        }

        """#

    private static let i3blocks = #"""
        # Widgets for i3blocks, beside other blocks: put this into ~/.config/i3blocks/config.
        # i3status has no blocks of others' programs; i3blocks has. It would keep the last line of a program that was
        # killed, so a shell waits for the stream's end and says something else.
        @EACH
        [tresor-@ID@]
        command=while :; do @TRESOR@ widget stream --host text @KIND@; echo '@KIND@, locked' || exit; sleep 1; done
        interval=persist
        markup=none

        @END

        """#

    private static let polybar = #"""
        ; Widgets for polybar: put this into ~/.config/polybar/config.ini and add "tresor" to a bar's modules-right.
        ; The stream breaks up "%{", by which text could otherwise make buttons that run commands.
        [module/tresor]
        type = custom/script
        exec = exec @TRESOR@ widget stream --host polybar @KINDS@
        tail = true
        interval = 1

        """#

    private static let swaybar = #"""
        # Widgets for swaybar: put this into ~/.config/sway/config.
        bar {
            position bottom
            font pango:DejaVu Sans 10
            status_command exec @TRESOR@ widget stream --host i3bar @KINDS@
            colors {
                background #16161e
                statusline #f2f2f7
                separator  #44475a
            }
        }

        """#

    private static let swaylock = #"""
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

        """#

    private static let tmux = #"""
        # Widgets for tmux: put this into ~/.tmux.conf.
        # tmux draws what a command printed at most once a second, and the next line only when the interval is over.
        set -g status-interval 1
        set -g status-right-length 160
        set -g status-right '#(exec @TRESOR@ widget stream --host tmux @KINDS@)'

        """#

    private static let waybarStyle = #"""
        /* Widgets for waybar: add this to ~/.config/waybar/style.css.
           A widget has the class of what is there of it: "shown", "redacted", "placeholder" or "unavailable". */
        @EACH
        #custom-tresor-@ID@ {
          padding: 0 12px;
          margin: 5px 3px;
          border-radius: 9px;
          color: #f2f2f7;
          background: rgba(120, 120, 200, 0.22);
        }

        #custom-tresor-@ID@.redacted,
        #custom-tresor-@ID@.placeholder,
        #custom-tresor-@ID@.unavailable {
          color: #9a9fae;
          background: rgba(120, 120, 128, 0.16);
        }

        @END

        """#

    private static let waybar = #"""
        // Widgets for waybar. Save this as ~/.config/waybar/tresor.jsonc and add to your configuration:
        //   "include": ["~/.config/waybar/tresor.jsonc"]
        // and the names below to "modules-right". 'tresor widget install waybar-style' prints a style.
        // The stream escapes its text for Pango itself; leave "escape" off. "exec" lets the stream watch waybar itself.
        // "tooltip" stays off: GTK 3 goes on telling screen readers the first one, also when the device is locked.
        {
        @EACH
          "custom/tresor-@ID@": {
            "exec": "exec @TRESOR@ widget stream --host waybar @KIND@",
            "return-type": "json",
            "tooltip": false,
            "restart-interval": 1
          },
        @END
        }

        """#
}
