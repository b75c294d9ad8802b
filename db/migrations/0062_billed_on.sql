ALTER TABLE "vendor_invoice_lines" ADD COLUMN "osl_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "vendor_invoice_lines" ADD COLUMN "billed_on" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "vendor_invoice_lines_osl_ids_idx" ON "vendor_invoice_lines" USING gin ("osl_ids");--> statement-breakpoint
-- Until now, only the latest of several stays was stored. Days are compared in UTC, so a day more can be included.
UPDATE "vendor_invoice_lines" l SET "osl_ids" = stays.ids
FROM (
  SELECT l.id, array_agg(e.id ORDER BY e.id) AS ids
  FROM "vendor_invoice_lines" l
  JOIN "vendor_invoices" i ON i.id = l.invoice_id
  JOIN "osl_entries" e ON e.id = l.osl_id OR (e.unit_number = l.unit_number AND e.vendor_id = i.vendor_id
    AND e.storage_fees_applicable AND e.osl_date <= i.end_date
    AND (e.completed_at IS NULL OR e.completed_at >= i.start_date))
  WHERE l.osl_id IS NOT NULL
  GROUP BY l.id) stays
WHERE stays.id = l.id;--> statement-breakpoint
-- Until now, only the text of the reason named the earlier invoices. The expected amount of a matched storage line also
-- left out the days of earlier invoices, without a reason.
UPDATE "vendor_invoice_lines" l SET "billed_on" = earlier.ids
FROM (
  SELECT l.id, array_agg(DISTINCT i.id) AS ids
  FROM "vendor_invoice_lines" l
  JOIN "vendor_invoices" mine ON mine.id = l.invoice_id
  JOIN "vendor_invoices" i ON i.id <> mine.id
    AND (i.vendor_id = mine.vendor_id OR i.transport_company_id = mine.transport_company_id)
  WHERE position('billed on invoice ' || i.number || ', ' || to_char(i.start_date, 'MM/DD/YYYY') || ' to ' || to_char(i.end_date, 'MM/DD/YYYY') IN replace(l.reason, 'billed already on', 'billed on')) > 0
    OR (l.status = 'matched' AND l.osl_id IS NOT NULL AND i.id < mine.id
      AND i.start_date <= mine.end_date AND i.end_date >= mine.start_date
      AND EXISTS (SELECT 1 FROM "vendor_invoice_lines" o WHERE o.invoice_id = i.id AND o.unit_number = l.unit_number
        AND o.amount > 0 AND o.decision IS DISTINCT FROM 'disputed' AND o.status <> 'not_ours'))
  GROUP BY l.id) earlier
WHERE earlier.id = l.id;
