package io.surewrite.write;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;

/** Only a key, a name and an address: a real one needs a session. */
public final class FakeNode {

    private FakeNode() {}

    public static Node named(String name) {
        return (Node) Proxy.newProxyInstance(
                Node.class.getClassLoader(),
                new Class<?>[] {Node.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "hashCode" -> name.hashCode();
                    case "equals" -> proxy == args[0];
                    case "toString" -> name;
                    case "getEndPoint" -> new DefaultEndPoint(InetSocketAddress.createUnresolved(name, 9042));
                    default -> null;
                });
    }
}
