CREATE TABLE "budgets" (
	"id" serial PRIMARY KEY NOT NULL,
	"location_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"amounts" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "vendor_invoices" ALTER COLUMN "vendor_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "vendor_invoice_lines" ADD COLUMN "transport_id" integer;--> statement-breakpoint
ALTER TABLE "vendor_invoices" ADD COLUMN "transport_company_id" integer;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_location_id_year_key" ON "budgets" USING btree ("location_id","year");--> statement-breakpoint
ALTER TABLE "vendor_invoice_lines" ADD CONSTRAINT "vendor_invoice_lines_transport_id_transports_id_fk" FOREIGN KEY ("transport_id") REFERENCES "public"."transports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vendor_invoices" ADD CONSTRAINT "vendor_invoices_transport_company_id_transport_companies_id_fk" FOREIGN KEY ("transport_company_id") REFERENCES "public"."transport_companies"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vendor_invoice_lines_transport_id_idx" ON "vendor_invoice_lines" USING btree ("transport_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vendor_invoices_transport_company_id_number_key" ON "vendor_invoices" USING btree ("transport_company_id",lower("number"));--> statement-breakpoint
ALTER TABLE "vendor_invoices" ADD CONSTRAINT "vendor_invoices_one_biller" CHECK (num_nonnulls("vendor_invoices"."vendor_id", "vendor_invoices"."transport_company_id") = 1);