ALTER TABLE "vendor_invoice_lines" ADD COLUMN "osl_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "vendor_invoice_lines" ADD COLUMN "billed_on" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "vendor_invoice_lines_osl_ids_idx" ON "vendor_invoice_lines" USING gin ("osl_ids");--> statement-breakpoint
UPDATE "vendor_invoice_lines" SET "osl_ids" = ARRAY["osl_id"] WHERE "osl_id" IS NOT NULL;--> statement-breakpoint
-- Until now, only the text of the reason named the earlier invoice.
UPDATE "vendor_invoice_lines" l SET "billed_on" = earlier.ids
FROM (
  SELECT l.id, array_agg(i.id) AS ids
  FROM "vendor_invoice_lines" l
  JOIN "vendor_invoices" mine ON mine.id = l.invoice_id
  JOIN "vendor_invoices" i ON i.id <> mine.id
    AND (i.vendor_id = mine.vendor_id OR mine.vendor_id IS NULL)
    AND position('billed on invoice ' || i.number || ', ' || to_char(i.start_date, 'MM/DD/YYYY') || ' to ' || to_char(i.end_date, 'MM/DD/YYYY') IN replace(l.reason, 'billed already on', 'billed on')) > 0
  GROUP BY l.id) earlier
WHERE earlier.id = l.id;
