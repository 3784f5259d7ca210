package dev.distributedscheduler.sample;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class InvoiceController {

    private final Invoices invoices;

    InvoiceController(Invoices invoices) {
        this.invoices = invoices;
    }

    @GetMapping("/invoices")
    Map<String, Object> totals() {
        return invoices.totals();
    }
}
