package io.surewrite.kotlin

import com.datastax.oss.driver.api.core.DriverTimeoutException
import io.surewrite.write.WriteReceipt
import io.surewrite.embedded.SharedCassandra
import io.surewrite.test.FrameProxy
import io.surewrite.test.FrameProxy.Fate
import io.surewrite.unique.DuplicateValueException
import java.nio.file.Path
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.api.io.TempDir
import org.springframework.beans.factory.getBean
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.test.system.CapturedOutput
import org.springframework.boot.test.system.OutputCaptureExtension
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.ComponentScan.Filter
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.FilterType
import org.springframework.context.annotation.Import
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories

internal fun lostAnswer() = DriverTimeoutException("the answer was lost")

/** An application in Kotlin, on a network that loses an answer when a test says so. */
@ExtendWith(OutputCaptureExtension::class)
class KotlinIntegrationTests {

    @Test
    fun `a data class is unique, blocking and suspending`() = runBlocking<Unit> {
        val login = "anna-${UUID.randomUUID()}"
        members.insert(Member(UUID.randomUUID(), login))
        assertThatThrownBy { members.insert(Member(UUID.randomUUID(), login)) }
            .isInstanceOf(DuplicateValueException::class.java)
        val taken = runCatching { suspendingMembers.save(Member(UUID.randomUUID(), login)) }
        assertThat(taken.exceptionOrNull()).isInstanceOf(DuplicateValueException::class.java)

        val other = suspendingMembers.save(Member(UUID.randomUUID(), "$login-2", "Bern"))
        assertThat(suspendingMembers.findById(other.id)).isEqualTo(other)
        suspendingMembers.save(other.copy(login = "$login-3"))
        suspendingMembers.save(Member(UUID.randomUUID(), "$login-2")) // free again
        suspendingMembers.delete(other.copy(login = "$login-3"))
        assertThat(suspendingMembers.findById(other.id)).isNull()
        suspendingMembers.save(Member(UUID.randomUUID(), "$login-3"))
    }

    @Test
    fun `many data classes are unique`() = runBlocking<Unit> {
        val login = "many-${UUID.randomUUID()}"
        val two = listOf(Member(UUID.randomUUID(), "$login-1"), Member(UUID.randomUUID(), "$login-2"))
        // in the order of the answers, as with Spring Data alone
        assertThat(suspendingMembers.saveAll(two).toList()).containsExactlyInAnyOrderElementsOf(two)
        assertThat(suspendingMembers.saveAll(flowOf(Member(UUID.randomUUID(), "$login-3"))).toList()).hasSize(1)
        val again = runCatching { suspendingMembers.saveAll(flowOf(Member(UUID.randomUUID(), "$login-3"))).toList() }
        assertThat(again.exceptionOrNull()).isInstanceOf(DuplicateValueException::class.java)
        suspendingMembers.deleteAllById(two.map { it.id })
        suspendingMembers.deleteAll(flowOf(suspendingMembers.save(Member(UUID.randomUUID(), "$login-4"))))
        suspendingMembers.saveAll(listOf("$login-1", "$login-2", "$login-4").map { Member(UUID.randomUUID(), it) }).toList()
    }

    @Test
    fun `deleting all frees all values`() = runBlocking<Unit> {
        val login = "all-${UUID.randomUUID()}"
        suspendingMembers.save(Member(UUID.randomUUID(), login))
        suspendingMembers.deleteAll()
        assertThat(suspendingMembers.count()).isZero()
        suspendingMembers.save(Member(UUID.randomUUID(), login))
    }

    @Test
    fun `a data class is overwritten whole`() = runBlocking<Unit> {
        val id = UUID.randomUUID()
        notes.save(Note(id, "first", setOf("a")))
        notes.save(Note(id, null))
        assertThat(notes.findById(id)).contains(Note(id, null))
        suspendingNotes.save(Note(id, "second", setOf("b")))
        suspendingNotes.save(Note(id, null))
        assertThat(suspendingNotes.findById(id)).isEqualTo(Note(id, null))
        suspendingNotes.overwrite(Note(id, "third")).awaitSingle()
        suspendingNotes.saveAll(flowOf(Note(id, "fourth"))).toList()
        suspendingNotes.saveAll(listOf(Note(id, "fifth"))).toList()
        assertThat(suspendingNotes.findByIdIn(listOf(id))).containsExactly(Note(id, "fifth"))
    }

    @Test
    fun `an answer that is lost is asked for again`() = runBlocking<Unit> {
        val note = losing("text-1") { suspendingNotes.save(Note(text = "text-1")) }
        val id = note.id!! // made before the first attempt
        assertThat(notes.count()).isPositive()
        losing("text-2") { suspendingNotes.rename("text-2", id) }
        assertThat(suspendingNotes.findById(id)?.text).isEqualTo("text-2")
        assertThat(losing("text-3") { suspendingNotes.keep("text-3", id) }).isEqualTo(WriteReceipt.WRITTEN)
        losing("text-4") { notes.save(Note(id, "text-4")) }
        losing("text-5") { suspendingMembers.save(Member(id, "text-5")) }

        // The network is bad indeed.
        val plain = runCatching { losing("text-6") { plainNotes.rename("text-6", id) } }
        assertThat(plain.isFailure).isTrue()
    }

    @Test
    fun `suspending functions of beans are retried with one timestamp`() = runBlocking<Unit> {
        val id = UUID.randomUUID()
        val times = desk.writeTwice(id)
        assertThat(times).hasSize(2)
        assertThat(times.toSet()).hasSize(1)
    }

    @Test
    fun `a function runs under a lease`() {
        assertThat(desk.tokenOf("anna")).isPositive()
    }

    @Test
    fun `what cannot work is refused at the start`(output: CapturedOutput) {
        assertThatThrownBy { start(Refused::class.java, properties()).close() }.isInstanceOf(RuntimeException::class.java)
        assertThat(output.out)
            .contains("Careful.decide cannot be @Idempotent", "'IF'")
            .contains("@WithLease on Careful.hold: it would be released when the function first suspends")
            .contains("Careful.answer cannot be @Idempotent", "whenExhausted = BACKLOG, but it answers io.surewrite.kotlin.Note")
            .contains("'logn'", "Name one of id, login, city.")
    }

    /** Their classes are final, as Kotlin's are unless a plugin opens them, which ends the start by itself. */
    @Test
    fun `beans that cannot work are refused at the start`(output: CapturedOutput) {
        listOf(RefusedLease::class.java, RefusedStream::class.java).forEach { refused ->
            assertThatThrownBy { start(refused, properties()).close() }.isInstanceOf(RuntimeException::class.java)
        }
        assertThat(output.out)
            .contains("@WithLease on Leased.release: it would be released when the function first suspends")
            .contains("Streaming.stream cannot be @Idempotent", "it suspends and answers a Flow")
    }

    private fun <T> losing(value: String, call: suspend () -> T): T {
        lost += value
        try {
            return runBlocking { call() }
        } finally {
            assertThat(lost).`as`("what was lost").doesNotContain(value)
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
        includeFilters = [Filter(type = FilterType.ASSIGNABLE_TYPE, classes = [Members::class, Notes::class])],
        excludeFilters = [Filter(type = FilterType.ASSIGNABLE_TYPE, classes = [Careful::class, Misspelt::class])],
    )
    @EnableReactiveCassandraRepositories(
        excludeFilters = [Filter(type = FilterType.ASSIGNABLE_TYPE, classes = [Careful::class, Misspelt::class])],
    )
    @Import(Desk::class)
    class Application

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableReactiveCassandraRepositories
    class Refused

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Leased::class)
    class RefusedLease

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Streaming::class)
    class RefusedStream

    companion object {

        private val server = SharedCassandra.get()
        private val keyspace = server.createFreshKeyspace("Kotlin")
        private val lost: MutableSet<String> = ConcurrentHashMap.newKeySet()
        private val network = FrameProxy(server.contactPoint().port, Duration.ZERO) { frame ->
            val text = String(frame, Charsets.ISO_8859_1)
            val fate = if (lost.any { it in text && lost.remove(it) }) Fate.WRITE_TIMEOUT else Fate.DELIVERED
            FrameProxy.Verdict(fate, CompletableFuture())
        }

        @TempDir
        lateinit var directory: Path

        private lateinit var context: ConfigurableApplicationContext
        private val members by lazy { context.getBean<Members>() }
        private val suspendingMembers by lazy { context.getBean<SuspendingMembers>() }
        private val notes by lazy { context.getBean<Notes>() }
        private val suspendingNotes by lazy { context.getBean<SuspendingNotes>() }
        private val plainNotes by lazy { context.getBean<PlainNotes>() }
        private val desk by lazy { context.getBean<Desk>() }

        private fun properties() = arrayOf(
            "--spring.main.web-application-type=none",
            "--spring.cassandra.contact-points=127.0.0.1:${network.port()}",
            "--spring.cassandra.local-datacenter=${server.localDatacenter()}",
            "--spring.cassandra.keyspace-name=$keyspace",
            "--spring.cassandra.request.timeout=30s",
            "--surewrite.schema.initialize=always",
            "--surewrite.schema.locations=classpath:schema.cql",
            "--surewrite.backlog.enabled=true",
            "--surewrite.backlog.directory=$directory/${UUID.randomUUID()}",
        )

        private fun start(application: Class<*>, arguments: Array<String>): ConfigurableApplicationContext =
            SpringApplicationBuilder(application).run(*arguments)

        @BeforeAll
        @JvmStatic
        fun start() {
            context = start(Application::class.java, properties())
        }

        @AfterAll
        @JvmStatic
        fun stop() {
            context.close()
            network.close()
        }
    }
}
