ALTER TABLE "vendor_invoice_lines" ADD COLUMN "billed_days" datemultirange;--> statement-breakpoint
UPDATE "vendor_invoice_lines" l SET "billed_days" = datemultirange(daterange(t.move_date, t.move_date, '[]'))
FROM "transports" t WHERE t.id = l.transport_id AND l.amount IS NOT NULL;--> statement-breakpoint
-- Days are compared in UTC, so a day more can be included.
UPDATE "vendor_invoice_lines" l SET "billed_days" = charged.days
FROM (
  SELECT l.id, CASE WHEN l.status = 'not_ours' THEN p.days + s.days ELSE (p.days - coalesce(earlier.days, '{}')) * s.days END AS days
  FROM "vendor_invoice_lines" l
  JOIN "vendor_invoices" i ON i.id = l.invoice_id
  CROSS JOIN LATERAL (SELECT datemultirange(daterange(i.start_date, i.end_date, '[]')) AS days) p
  CROSS JOIN LATERAL (
    SELECT range_agg(daterange(e.osl_date, greatest(e.osl_date, e.completed_at::date), '(]')) AS days
    FROM "osl_entries" e WHERE e.id = ANY(l.osl_ids)) s
  LEFT JOIN LATERAL (
    SELECT range_agg(daterange(b.start_date, b.end_date, '[]')) AS days
    FROM "vendor_invoices" b WHERE b.id = ANY(l.billed_on)) earlier ON true
  WHERE l.osl_id IS NOT NULL AND s.days IS NOT NULL AND (l.status = 'not_ours' OR l.amount <= l.expected)) charged
WHERE charged.id = l.id AND NOT isempty(charged.days);
