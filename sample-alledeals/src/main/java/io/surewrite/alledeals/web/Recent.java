package io.surewrite.alledeals.web;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was seen lately, and no more of it than a process can bear: what was put first is forgotten first. */
public final class Recent<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int most;

    private Recent(int most) {
        this.most = most;
    }

    public static <K, V> Map<K, V> map(int most) {
        return Collections.synchronizedMap(new Recent<>(most));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
