CREATE TABLE "merges" (
	"id" serial PRIMARY KEY NOT NULL,
	"entity" varchar(40) NOT NULL,
	"from_id" integer NOT NULL,
	"from_name" varchar(100) NOT NULL,
	"into_id" integer NOT NULL,
	"into_name" varchar(100) NOT NULL,
	"names" text[] NOT NULL,
	"moved" jsonb NOT NULL,
	"merged_at" timestamp with time zone DEFAULT now() NOT NULL,
	"merged_by" varchar(50),
	"undone_at" timestamp with time zone,
	"undone_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "locations" ADD COLUMN "other_names" text[];--> statement-breakpoint
ALTER TABLE "transport_companies" ADD COLUMN "other_names" text[];--> statement-breakpoint
ALTER TABLE "vendors" ADD COLUMN "other_names" text[];--> statement-breakpoint
CREATE INDEX "merges_merged_at_idx" ON "merges" USING btree ("merged_at");