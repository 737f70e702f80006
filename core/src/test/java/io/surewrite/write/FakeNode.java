package io.surewrite.write;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

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

    /** {@return what the driver tells of a request: which it was, what it met before, and how often it was speculated} */
    static ExecutionInfo told(Request request, List<Map.Entry<Node, Throwable>> errors, int speculativeExecutions) {
        return (ExecutionInfo) Proxy.newProxyInstance(
                ExecutionInfo.class.getClassLoader(),
                new Class<?>[] {ExecutionInfo.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getRequest" -> request;
                    case "getErrors" -> errors;
                    case "getSpeculativeExecutionCount" -> speculativeExecutions;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
