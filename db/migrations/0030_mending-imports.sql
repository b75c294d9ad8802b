ALTER TABLE "uploads" ADD COLUMN "mends" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_mends_uploads_id_fk" FOREIGN KEY ("mends") REFERENCES "public"."uploads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uploads_mends_idx" ON "uploads" USING btree ("mends");