package io.surewrite.alledeals.art;

import java.util.List;

/** Colours that go together. */
record Palette(String ground, List<String> inks) {

    static final List<Palette> ALL = List.of(
            palette("#efe4cf", "#1f4e5f", "#e07a5f", "#f2b84b", "#3d8b7d"),
            palette("#e6ebda", "#34543a", "#9fb28a", "#d9653b", "#f0c35b"),
            palette("#2c2f4a", "#ef8354", "#f7c59f", "#56659c", "#c9c7c3"),
            palette("#f5e6da", "#7f9f98", "#e8837f", "#f3c5bd", "#3d405b"),
            palette("#e3ecf0", "#274c77", "#6096ba", "#e4b363", "#d1495b"),
            palette("#f0e5ee", "#5b2a52", "#c06c84", "#f6b17a", "#6c8ead"),
            palette("#14332d", "#e9c46a", "#2a9d8f", "#f4a261", "#e9e3d0"),
            palette("#ecdccf", "#9c4a2f", "#d9a05b", "#4a6c6f", "#2e2a27"));

    private static Palette palette(String ground, String... inks) {
        return new Palette(ground, List.of(inks));
    }
}
