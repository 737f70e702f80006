/** Applications that know nothing of Surewrite, and take it on. */
package io.surewrite.adoption;
