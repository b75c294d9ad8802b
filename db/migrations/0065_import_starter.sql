ALTER TABLE "uploads" ADD COLUMN "started_by" varchar(50);--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "started_token" varchar(100);