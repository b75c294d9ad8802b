ALTER TABLE "company_settings" ADD COLUMN "po_prefix" varchar(20) DEFAULT 'PO-';--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "po_next" integer DEFAULT 1001 NOT NULL;