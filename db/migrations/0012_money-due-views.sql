CREATE TABLE "osl_rates" (
	"id" serial PRIMARY KEY NOT NULL,
	"osl_id" integer NOT NULL,
	"from" date NOT NULL,
	"daily_rate" numeric(12, 2) NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "due_snoozes" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" varchar(30) NOT NULL,
	"record_id" integer NOT NULL,
	"until" date,
	"reason" varchar(255),
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" serial PRIMARY KEY NOT NULL,
	"list" varchar(20) NOT NULL,
	"name" varchar(50) NOT NULL,
	"query" text NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "vendor_invoice_lines" (
	"id" serial PRIMARY KEY NOT NULL,
	"invoice_id" integer NOT NULL,
	"unit_number" varchar(6) NOT NULL,
	"osl_id" integer,
	"amount" numeric(12, 2),
	"expected" numeric(12, 2) NOT NULL,
	"status" varchar(20) NOT NULL,
	"reason" text,
	"decision" varchar(20),
	"note" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "vendor_invoices" (
	"id" serial PRIMARY KEY NOT NULL,
	"vendor_id" integer NOT NULL,
	"number" varchar(50) NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "storage_grace_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "storage_fee_waived" numeric(12, 2);--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "storage_fee_waived_reason" varchar(255);--> statement-breakpoint
ALTER TABLE "vendors" ADD COLUMN "storage_daily_rate" numeric(12, 2);--> statement-breakpoint
ALTER TABLE "vendors" ADD COLUMN "storage_grace_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "osl_rates" ADD CONSTRAINT "osl_rates_osl_id_osl_entries_id_fk" FOREIGN KEY ("osl_id") REFERENCES "public"."osl_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vendor_invoice_lines" ADD CONSTRAINT "vendor_invoice_lines_invoice_id_vendor_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."vendor_invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vendor_invoice_lines" ADD CONSTRAINT "vendor_invoice_lines_osl_id_osl_entries_id_fk" FOREIGN KEY ("osl_id") REFERENCES "public"."osl_entries"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vendor_invoices" ADD CONSTRAINT "vendor_invoices_vendor_id_vendors_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "osl_rates_osl_id_from_key" ON "osl_rates" USING btree ("osl_id","from");--> statement-breakpoint
CREATE UNIQUE INDEX "due_snoozes_kind_record_id_key" ON "due_snoozes" USING btree ("kind","record_id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_owner_list_name_key" ON "saved_views" USING btree ("created_by","list",lower("name"));--> statement-breakpoint
CREATE INDEX "vendor_invoice_lines_invoice_id_idx" ON "vendor_invoice_lines" USING btree ("invoice_id","id");--> statement-breakpoint
CREATE INDEX "vendor_invoice_lines_osl_id_idx" ON "vendor_invoice_lines" USING btree ("osl_id");--> statement-breakpoint
CREATE INDEX "vendor_invoice_lines_unit_number_idx" ON "vendor_invoice_lines" USING btree ("unit_number");--> statement-breakpoint
CREATE UNIQUE INDEX "vendor_invoices_vendor_id_number_key" ON "vendor_invoices" USING btree ("vendor_id",lower("number"));