package io.surewrite.embedded.child;

import java.security.PermissionCollection;
import java.security.Permissions;

/**
 * Takes the place of Cassandra's class of this name on a JDK without a security manager, where the original cannot even be
 * loaded. It moves to Cassandra's package when the child's jar is packed, so that the application's class path has nothing
 * under that name. It guards nothing: the original guards user-defined functions, which then stay switched off.
 */
public final class ThreadAwareSecurityManager {

    /** For the code of user-defined functions: none. The name is Cassandra's. */
    public static final PermissionCollection noPermissions = nothing();

    private ThreadAwareSecurityManager() {}

    private static PermissionCollection nothing() {
        Permissions none = new Permissions();
        none.setReadOnly();
        return none;
    }

    /** Does nothing. */
    public static void install() {}

    /**
     * Whether this thread runs a user-defined function.
     *
     * @return false
     */
    public static boolean isSecuredThread() {
        return false;
    }
}
