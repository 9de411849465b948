import DiaryViews
import Localization

/// What is said where the diary talks in lines.
extension ScreenPhrase {
    static let plainText = ScreenPhrase("Text; a period alone saves, .help tells more")
    static let filesHelp = ScreenPhrase(
        "save 1 path: the first file without place, date, camera. original 1 path: the original.")
    static let settingsHelp = ScreenPhrase("1 10: after ten minutes; 1 0: never. 2 yes, 2 no, 3 yes, 3 no.")
    static let calendarHelp = ScreenPhrase(
        "15: that day. earlier and later: month before and after; { and }: month with entries.")

    static let plainNotShown = ScreenPhrase("not shown")
    static let plainDeviceLocked = ScreenPhrase("The device is locked.")
    static let plainPasscode = ScreenPhrase("Passcode of the device, not shown; an empty line cancels")
    static let plainLockedPrompt = ScreenPhrase("Locked; unlock, help or quit")
    static let plainLockedHelp = ScreenPhrase("unlock asks for the passcode of the device, quit ends this.")
    static let plainIsOpen = ScreenPhrase("The diary is open.")
    static let plainWhich = ScreenPhrase("Say which: a number or a title, or words to find.")
    static let plainOpenFirst = ScreenPhrase("Open an entry first; copy copies its text.")
    static let plainNoEntry = ScreenPhrase("Open an entry first; timeline, find and drafts list them.")
    static let plainFilesFirst = ScreenPhrase("Open an entry first, and say files.")
    static let plainTrashFirst = ScreenPhrase("restore takes a number of the trash; say trash first.")
    static let plainCopied = ScreenPhrase("Copied; the clipboard is cleared in 45 seconds.")
    static let plainNotCopied = ScreenPhrase("Not copied: there is no clipboard here.")
    static let plainGone = ScreenPhrase("That is no longer here; list reads anew.")
    static let plainSeveral = ScreenPhrase("Several are called so; say a number:")
    static let plainNoNumber = ScreenPhrase("There is no such number here.")
    static let plainNothing = ScreenPhrase("Nothing here is called so.")
    static let plainNotUnderstood = ScreenPhrase("Not understood; help tells the words.")

    static let plainHelp = ScreenPhrase(
        """
        timeline, calendar, today (on this day), places, statistics, tags, starred, drafts, trash, settings
        open 3, or 3 or a title alone, reads one; list: the list, more: on, back, find and words: search
        new: a new entry, template: from a template, edit 3, delete 3, undo, restore 3: from the trash
        files: those of the entry, earlier and later: its neighbours, copy 3: its text
        Without a number, open, edit, delete and copy mean the entry that is open.
        lock, quit. What was read out stays in the terminal.
        """)

    static let writingHelp = ScreenPhrase(
        """
        A line is added at the end; one that shall begin with a period begins with two. A period alone saves.
        .list reads the text with numbers, .change 2 words, .insert 2 words, .delete 2
        .fields reads the fields. With nothing behind it a field becomes empty:
        .date 2026-11-22 14:05 Europe/Oslo, .place Drøbak 59.67, 10.63, .tags a, b, .mood good, .star
        .file path, .out 2 takes the second file out, .move 2 1 puts it first,
        .photo 1 takes over date and place of the first photo
        .draft keeps a draft, .cancel discards
        """)
}
