ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "token_name" varchar(100);--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "token_name" varchar(100);