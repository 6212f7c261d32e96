package org.sparkhpc.pages;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;

/** What a file says that only this process's user can read, and that nobody else can have put there. */
final class KeyFile {
    private static final int TYPE = 0170000;
    private static final int REGULAR = 0100000;
    private static final int STICKY = 01000;
    private static final int ANY_BY_OTHERS = 077;
    private static final int WRITE_BY_OTHERS = 022;

    private KeyFile() {}

    /** @param setting the one that names the file, for whoever reads why it was refused */
    static String read(String setting, Path file) throws IOException {
        try {
            if (!isPrivate(file)) {
                throw refusal(setting, file, "that isn't a file which only you can read: chmod 600, or remove it");
            }
            Path directory = file.toRealPath().getParent();
            if (!isSafe(directory)) {
                throw refusal(
                        setting, file, "others can write in " + directory + ": chmod go-w, or name another place");
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
            if (text.isEmpty()) {
                throw refusal(setting, file, "that file is empty: remove it and start again");
            }
            return text;
        } catch (NoSuchFileException gone) {
            throw refusal(setting, file, "there is no such file: start again");
        }
    }

    private static boolean isPrivate(Path file) throws IOException {
        int mode = mode(file);
        return (mode & TYPE) == REGULAR && (mode & ANY_BY_OTHERS) == 0 && uid(file) == own();
    }

    /** Whether nobody else can take away what is in that directory and put something in its place. */
    private static boolean isSafe(Path directory) throws IOException {
        int owner = uid(directory);
        int mode = mode(directory);
        return (owner == own() || owner == 0) && ((mode & WRITE_BY_OTHERS) == 0 || (mode & STICKY) != 0);
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }

    private static int uid(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static int own() throws IOException {
        return uid(Paths.get("/proc/self/task"));
    }

    private static IllegalArgumentException refusal(String setting, Path file, String why) {
        return new IllegalArgumentException(setting + " = " + file + ": " + why);
    }
}
