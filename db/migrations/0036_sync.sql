ALTER TABLE "osl_entries" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
ALTER TABLE "locations" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
ALTER TABLE "registrations" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
ALTER TABLE "titles" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
ALTER TABLE "transport_companies" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
ALTER TABLE "transports" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
ALTER TABLE "vehicles" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
ALTER TABLE "vendors" ADD COLUMN "external_id" varchar(100);--> statement-breakpoint
CREATE UNIQUE INDEX "osl_entries_external_id_key" ON "osl_entries" USING btree ("external_id") WHERE "osl_entries"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "osl_entries_updated_at_idx" ON "osl_entries" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "audit_entries_deletions_idx" ON "audit_entries" USING btree ("entity","id") WHERE "audit_entries"."action" = 'delete';--> statement-breakpoint
CREATE UNIQUE INDEX "locations_external_id_key" ON "locations" USING btree ("external_id") WHERE "locations"."external_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "registrations_external_id_key" ON "registrations" USING btree ("external_id") WHERE "registrations"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "registrations_updated_at_idx" ON "registrations" USING btree ("updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "titles_external_id_key" ON "titles" USING btree ("external_id") WHERE "titles"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "titles_updated_at_idx" ON "titles" USING btree ("updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "transport_companies_external_id_key" ON "transport_companies" USING btree ("external_id") WHERE "transport_companies"."external_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transports_external_id_key" ON "transports" USING btree ("external_id") WHERE "transports"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "transports_updated_at_idx" ON "transports" USING btree ("updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "vehicles_external_id_key" ON "vehicles" USING btree ("external_id") WHERE "vehicles"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "vehicles_updated_at_idx" ON "vehicles" USING btree ("updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "vendors_external_id_key" ON "vendors" USING btree ("external_id") WHERE "vendors"."external_id" is not null;