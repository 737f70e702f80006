package io.surewrite.autoconfigure;

import io.surewrite.overwrite.Overwrites.OverwriteSettings;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Row overwrites.
 *
 * @param onSave whether save and saveAll of every repository overwrite the row, instead of writing a tombstone for every
 *     null
 * @param maxSize the most that the values of one overwrite may take
 * @param allowLists whether non-frozen lists may be overwritten, although a repeated write duplicates their elements
 */
@ConfigurationProperties("surewrite.overwrite")
record OverwriteProperties(
        @DefaultValue("false") boolean onSave,
        @DefaultValue("1MB") DataSize maxSize,
        @DefaultValue("false") boolean allowLists) {

    OverwriteSettings settings(boolean sureLevel) {
        return new OverwriteSettings(maxSize.toBytes(), allowLists, sureLevel);
    }
}
