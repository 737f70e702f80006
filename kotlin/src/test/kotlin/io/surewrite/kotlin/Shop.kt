package io.surewrite.kotlin

import io.surewrite.write.WriteReceipt
import io.surewrite.lease.LeaseAssert
import io.surewrite.lease.WithLease
import io.surewrite.overwrite.OverwriteRepository
import io.surewrite.overwrite.Overwriting
import io.surewrite.overwrite.ReactiveOverwriteRepository
import io.surewrite.retry.Idempotent
import io.surewrite.retry.Idempotent.WhenExhausted
import io.surewrite.unique.UniqueBy
import java.util.UUID
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.data.cassandra.core.ReactiveCassandraOperations
import org.springframework.data.cassandra.core.mapping.PrimaryKey
import org.springframework.data.cassandra.core.mapping.Table
import org.springframework.data.cassandra.repository.CassandraRepository
import org.springframework.data.cassandra.repository.Query
import org.springframework.data.repository.kotlin.CoroutineCrudRepository
import org.springframework.stereotype.Service

@Table("member")
data class Member(@PrimaryKey val id: UUID, val login: String, val city: String? = null)

/** Its id is made by Surewrite, before the first attempt. */
@Table("note")
data class Note(@PrimaryKey val id: UUID? = null, val text: String?, val tags: Set<String> = emptySet())

@Idempotent
@UniqueBy("login")
interface Members : CassandraRepository<Member, UUID>

@Idempotent
@UniqueBy("login")
interface SuspendingMembers : CoroutineCrudRepository<Member, UUID>

@Idempotent
@Overwriting
interface Notes : CassandraRepository<Note, UUID>, OverwriteRepository<Note>

@Idempotent
@Overwriting
interface SuspendingNotes : CoroutineCrudRepository<Note, UUID>, ReactiveOverwriteRepository<Note> {

    @Query("UPDATE note SET text = ?0 WHERE id = ?1")
    suspend fun rename(text: String, id: UUID)

    suspend fun findByIdIn(ids: Collection<UUID>): List<Note>

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    @Query("UPDATE note SET text = ?0 WHERE id = ?1")
    suspend fun keep(text: String, id: UUID): WriteReceipt
}

interface PlainNotes : CoroutineCrudRepository<Note, UUID> {

    @Query("UPDATE note SET text = ?0 WHERE id = ?1")
    suspend fun rename(text: String, id: UUID)
}

@Service
class Desk(private val notes: PlainNotes, private val operations: ReactiveCassandraOperations) {

    private val times = mutableListOf<Long>()

    /** Each attempt writes, and the first one fails after it. */
    @Idempotent
    suspend fun writeTwice(id: UUID): List<Long> {
        notes.rename("twice", id)
        times += operations.reactiveCqlOperations
            .queryForObject("SELECT WRITETIME(text) FROM note WHERE id = ?", Long::class.javaObjectType, id)
            .awaitSingle()
        if (times.size == 1) throw lostAnswer()
        return times
    }

    @WithLease(key = "'desk:' + #name")
    fun tokenOf(name: String): Long = LeaseAssert.assertHeld("desk:$name").token()
}

/** What cannot work. */
class Leased {

    @WithLease("nightly")
    suspend fun release() = Unit
}

class Streaming {

    @Idempotent
    suspend fun stream(): Flow<String> = throw UnsupportedOperationException()
}

interface Careful : CoroutineCrudRepository<Note, UUID> {

    @Idempotent
    @Query("UPDATE note SET text = 'x' WHERE id = ?0 IF EXISTS")
    suspend fun decide(id: UUID): Boolean

    @WithLease(key = "#id")
    @Query("UPDATE note SET text = 'x' WHERE id = ?0")
    suspend fun hold(id: UUID)

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    @Query("UPDATE note SET text = 'x' WHERE id = ?0")
    suspend fun answer(id: UUID): Note?
}

@UniqueBy("logn")
interface Misspelt : CoroutineCrudRepository<Member, UUID>
