/** What all faces share: problems as data for programs and as pages for people, and how values come in. */
@NullMarked
package io.surewrite.alledeals.web;

import org.jspecify.annotations.NullMarked;
