ALTER TABLE "report_runs" ADD COLUMN "mail_to" varchar(500);--> statement-breakpoint
ALTER TABLE "report_runs" ADD COLUMN "mailed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "report_runs" ADD COLUMN "mail_error" text;--> statement-breakpoint
ALTER TABLE "report_runs" ADD COLUMN "mail_tries" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_runs" ADD COLUMN "next_mail_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD COLUMN "mail_to" varchar(500);--> statement-breakpoint
CREATE INDEX "report_runs_next_mail_at_idx" ON "report_runs" USING btree ("next_mail_at") WHERE "report_runs"."next_mail_at" is not null;