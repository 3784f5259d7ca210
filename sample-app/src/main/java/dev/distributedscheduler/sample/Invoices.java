package dev.distributedscheduler.sample;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The application's own table. */
@Repository
class Invoices {

    private final JdbcClient jdbc;

    Invoices(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Drafts an invoice; the key makes sure that drafting twice for the same reason has no effect. */
    boolean draft(String key, String customer, int cents) {
        return jdbc.sql("""
                                insert into invoice (draft_key, customer, cents) values (:key, :customer, :cents)
                                on conflict (draft_key) do nothing
                                """)
                        .param("key", key)
                        .param("customer", customer)
                        .param("cents", cents)
                        .update()
                == 1;
    }

    List<Long> drafts() {
        return jdbc.sql("select id from invoice where state = 'DRAFT' order by id limit 50")
                .query(Long.class)
                .list();
    }

    void sent(long id) {
        jdbc.sql("update invoice set state = 'SENT' where id = :id and state = 'DRAFT'")
                .param("id", id)
                .update();
    }

    Map<String, Object> totals() {
        return jdbc.sql("""
                        select count(*) filter (where state = 'DRAFT') as drafts,
                               count(*) filter (where state = 'SENT') as sent,
                               coalesce(sum(cents), 0) as cents
                        from invoice
                        """).query().singleRow();
    }
}
