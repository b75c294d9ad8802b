-- previous version works
ALTER TABLE "company_settings" ADD COLUMN "audit_kept_days" integer;--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "deleted_kept_days" integer;--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "upload_kept_days" integer;--> statement-breakpoint
ALTER TABLE "company_settings" ADD COLUMN "sign_in_kept_days" integer DEFAULT 90;--> statement-breakpoint
-- Old entries can be deleted if the company's settings say so. Only the job that does this makes this setting.
CREATE OR REPLACE FUNCTION audit_entries_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('yardmaster.retention', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit entries are append-only';
END
$$;
