ALTER TABLE "sessions" ADD COLUMN "first_id" varchar(64);--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "asks" boolean DEFAULT false NOT NULL;