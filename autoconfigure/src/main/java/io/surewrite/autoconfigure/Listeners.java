package io.surewrite.autoconfigure;

import io.surewrite.cql.WriteListener;
import io.surewrite.unique.UniqueListener;
import org.springframework.beans.factory.ObjectProvider;

/** The application's listeners and ours, as they would be injected: without beans that are no candidates for that. */
record Listeners(ObjectProvider<WriteListener> ofWrites, ObjectProvider<UniqueListener> ofUniqueValues) {

    WriteListener writes() {
        return WriteListener.all(ofWrites.orderedStream().toList());
    }

    UniqueListener uniqueValues() {
        return UniqueListener.all(ofUniqueValues.orderedStream().toList());
    }
}
