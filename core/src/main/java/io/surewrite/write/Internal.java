package io.surewrite.write;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** No API: public because another package of Surewrite needs it. It may change in any release. */
@Internal
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Internal {}
