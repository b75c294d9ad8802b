ALTER TABLE "report_runs" ADD COLUMN "includes_costs" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "started_address" varchar(64);--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "keeps_names" boolean DEFAULT false NOT NULL;