ALTER TABLE "sessions" ADD COLUMN "method" varchar(16) DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "begun_by" varchar(64);