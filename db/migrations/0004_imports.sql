CREATE TABLE "import_aliases" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" varchar(10) NOT NULL,
	"data_type" varchar(20),
	"alias" varchar(200) NOT NULL,
	"field" varchar(40),
	"location_id" integer,
	"transport_company_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "upload_rows" (
	"upload_id" integer NOT NULL,
	"row" integer NOT NULL,
	"outcome" varchar(9) NOT NULL,
	"cells" text[] NOT NULL,
	"notes" text[],
	"message" text,
	"record_id" integer,
	CONSTRAINT "upload_rows_upload_id_row_pk" PRIMARY KEY("upload_id","row")
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "upload_id" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "status" varchar(12) DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "existing" varchar(6) DEFAULT 'skip' NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "commits" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "row_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "last_row" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "progress" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "found" jsonb;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "fields" jsonb;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "date_orders" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "updated" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "undo" jsonb;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "undone_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "undone_by" varchar(50);--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "is_cancelled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "runner_seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "address" varchar(64);--> statement-breakpoint
ALTER TABLE "import_aliases" ADD CONSTRAINT "import_aliases_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_aliases" ADD CONSTRAINT "import_aliases_transport_company_id_transport_companies_id_fk" FOREIGN KEY ("transport_company_id") REFERENCES "public"."transport_companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "import_aliases_alias_key" ON "import_aliases" USING btree ("kind",coalesce("data_type", ''),lower("alias"));--> statement-breakpoint
CREATE INDEX "import_aliases_location_id_idx" ON "import_aliases" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "import_aliases_transport_company_id_idx" ON "import_aliases" USING btree ("transport_company_id");--> statement-breakpoint
CREATE INDEX "audit_entries_upload_id_idx" ON "audit_entries" USING btree ("upload_id","id") WHERE "audit_entries"."upload_id" is not null;--> statement-breakpoint
CREATE INDEX "uploads_open_idx" ON "uploads" USING btree ("id") WHERE "uploads"."status" not in ('done', 'undone', 'cancelled');