package dev.distributedscheduler.job;

/** What a name of a job, a queue or a key may be. */
public final class Names {

    private static final int LONGEST = 200;

    private Names() {}

    public static String check(String what, String name) {
        boolean printable = !name.isBlank() && name.chars().noneMatch(Character::isISOControl);
        if (!printable || name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "A %s name has 1 to %d printable characters, unlike '%s'".formatted(what, LONGEST, cut(name)));
        }
        return name;
    }

    private static String cut(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "…";
    }
}
