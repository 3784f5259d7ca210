package dev.distributedscheduler.sample;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The application's own table. */
@Repository
class Invoices {

    private final JdbcClient jdbc;

    Invoices(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Drafts an invoice, unless one was drafted for the same reason before. */
    Optional<Long> draft(String key, String customer, int cents) {
        return jdbc.sql("""
                        insert into invoice (draft_key, customer, cents) values (:key, :customer, :cents)
                        on conflict (draft_key) do nothing
                        returning id
                        """)
                .param("key", key)
                .param("customer", customer)
                .param("cents", cents)
                .query(Long.class)
                .optional();
    }

    /** Numbers have no gaps and no doubles; who takes one must commit it together with its use. */
    long takeNumber() {
        return jdbc.sql("update invoice_number set last = last + 1 returning last")
                .query(Long.class)
                .single();
    }

    void number(long id, long number) {
        jdbc.sql("update invoice set number = :number where id = :id")
                .param("number", number)
                .param("id", id)
                .update();
    }

    List<Long> drafts() {
        return jdbc.sql("select id from invoice where state = 'DRAFT' and number is not null order by id limit 50")
                .query(Long.class)
                .list();
    }

    void sent(long id) {
        jdbc.sql("update invoice set state = 'SENT' where id = :id and state = 'DRAFT'")
                .param("id", id)
                .update();
    }

    List<Long> sent() {
        return jdbc.sql("select id from invoice where state = 'SENT' order by id limit 50")
                .query(Long.class)
                .list();
    }

    void archive(long id) {
        jdbc.sql("update invoice set state = 'ARCHIVED' where id = :id and state = 'SENT'")
                .param("id", id)
                .update();
    }

    long total(String customer) {
        return jdbc.sql("select coalesce(sum(cents), 0) from invoice where customer = :customer")
                .param("customer", customer)
                .query(Long.class)
                .single();
    }

    Map<String, Object> totals() {
        return jdbc.sql("""
                        select count(*) filter (where state = 'DRAFT') as drafts,
                               count(*) filter (where state in ('SENT', 'ARCHIVED')) as sent,
                               max(number) as last_number,
                               coalesce(sum(cents), 0) as cents
                        from invoice
                        """).query().singleRow();
    }
}
