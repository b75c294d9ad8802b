ALTER TABLE "users" ADD COLUMN "wants_due_mail" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "due_mailed_on" date;--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "due_mail_hour" integer DEFAULT 7 NOT NULL;