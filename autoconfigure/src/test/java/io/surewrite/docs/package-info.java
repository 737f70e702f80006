/** The pages of the documentation, tried out. */
package io.surewrite.docs;
