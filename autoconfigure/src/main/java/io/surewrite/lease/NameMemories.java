package io.surewrite.lease;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The memories of the names used last; the oldest are forgotten. */
final class NameMemories {

    private final int limit;
    private final AtomicLong epochFloor = new AtomicLong();
    private final Map<String, NameMemory> byName = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, NameMemory> eldest) {
            return size() > limit;
        }
    };

    NameMemories(int limit) {
        this.limit = limit;
    }

    synchronized NameMemory of(String name) {
        return byName.computeIfAbsent(name, unused -> new NameMemory(epochFloor));
    }
}
