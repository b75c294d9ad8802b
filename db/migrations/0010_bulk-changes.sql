CREATE TABLE "bulk_changes" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" varchar(20) NOT NULL,
	"items" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"undone_at" timestamp with time zone,
	"undone_by" varchar(50)
);
--> statement-breakpoint
CREATE INDEX "bulk_changes_created_at_idx" ON "bulk_changes" USING btree ("created_at");