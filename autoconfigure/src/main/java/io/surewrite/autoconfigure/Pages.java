package io.surewrite.autoconfigure;

/** Where people can open our pages, of this release: they read a log, and have no folder with them. */
final class Pages {

    private Pages() {}

    static String page(String name) {
        return address(name + ".md");
    }

    /** @param entry a heading of the page on messages, as an anchor */
    static String entry(String entry) {
        return address("troubleshooting.md#" + entry);
    }

    private static String address(String target) {
        String version = Pages.class.getPackage().getImplementationVersion();
        boolean released = version != null && !version.endsWith("-SNAPSHOT");
        return "https://github.com/surewrite/surewrite/blob/%s/docs/%s (Surewrite %s)"
                .formatted(released ? "v" + version : "main", target, version == null ? "from its sources" : version);
    }
}
