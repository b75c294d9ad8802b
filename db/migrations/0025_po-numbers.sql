ALTER TABLE "company_settings" ADD COLUMN "po_prefix" varchar(20) DEFAULT 'PO-';--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "po_first" integer DEFAULT 1001 NOT NULL;--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "po_last" integer;--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "invoice_deciders" varchar(20) DEFAULT 'Administrators' NOT NULL;