package io.surewrite.architecture.planted.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Should be a record. */
@ConfigurationProperties("planted")
public class BeanStyleProperties {}
