package io.surewrite.autoconfigure;

import io.surewrite.retry.ids.ClientSideIdCallback;
import io.surewrite.retry.ids.ClientSideIds;
import io.surewrite.retry.ids.ReactiveClientSideIdCallback;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import reactor.core.publisher.Flux;

/** Ids made before the first attempt. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = RetryProperties.PREFIX, name = "client-side-ids", matchIfMissing = true)
class ClientSideIdConfiguration {

    @Bean
    ClientSideIds surewriteClientSideIds(ObjectProvider<CassandraMappingContext> mappings) {
        // Which one does not matter: each reads the same of an entity's class.
        return new ClientSideIds(mappings.orderedStream().findFirst().orElseThrow());
    }

    @Bean
    ClientSideIdCallback surewriteClientSideIdCallback(ClientSideIds ids) {
        return new ClientSideIdCallback(ids);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Flux.class)
    static class Reactive {

        @Bean
        ReactiveClientSideIdCallback surewriteReactiveClientSideIdCallback(ClientSideIds ids) {
            return new ReactiveClientSideIdCallback(ids);
        }
    }
}
