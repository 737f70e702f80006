package io.surewrite.architecture.planted.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;

/** Can be extended and called. */
@AutoConfiguration
public class OpenAutoConfiguration {

    public String calledFromOutside() {
        return "";
    }
}
