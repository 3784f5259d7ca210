package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

class TransactionManagersTests {

    private final DataSource dataSource = mock(DataSource.class);
    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    private Optional<PlatformTransactionManager> found() {
        return TransactionManagers.of(dataSource, beans.getBeanProvider(PlatformTransactionManager.class));
    }

    @Test
    void managerOfTheDataSourceIsFoundAmongOthers() {
        JdbcTransactionManager own = new JdbcTransactionManager(dataSource);
        beans.addBean("other", new JdbcTransactionManager(mock(DataSource.class)));
        beans.addBean("own", own);

        assertThat(found()).containsSame(own);
    }

    @Test
    void managerOfABrokerIsLeftAlone() {
        ResourceTransactionManager broker = mock(ResourceTransactionManager.class);
        when(broker.getResourceFactory()).thenReturn(new Object());
        beans.addBean("broker", broker);
        beans.addBean("unknown", mock(PlatformTransactionManager.class));

        assertThat(found()).isEmpty();
        verify(broker, never()).getTransaction(any());
    }
}
