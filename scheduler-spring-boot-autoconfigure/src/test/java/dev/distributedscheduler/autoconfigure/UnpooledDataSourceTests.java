package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class UnpooledDataSourceTests {

    @Test
    void plainDriverDataSourceIsTakenAsItIs() {
        PGSimpleDataSource plain = new PGSimpleDataSource();

        assertThat(UnpooledDataSource.behind(plain)).isSameAs(plain);
        assertThat(UnpooledDataSource.behind(new DelegatingDataSource(plain))).isSameAs(plain);
    }

    @Test
    void dataSourceInsideHikariIsUsed() {
        DataSource inside = mock(DataSource.class);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(inside);

            assertThat(UnpooledDataSource.behind(pool)).isSameAs(inside);
        }
    }

    @Test
    void unknownPoolIsUsedItself() {
        DataSource unknown = mock(DataSource.class);

        assertThat(UnpooledDataSource.behind(unknown)).isSameAs(unknown);
    }
}
