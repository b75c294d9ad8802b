CREATE INDEX "locations_location_name_idx" ON "locations" USING btree ("location_name");--> statement-breakpoint
CREATE INDEX "transport_companies_company_name_idx" ON "transport_companies" USING btree ("company_name");--> statement-breakpoint
CREATE INDEX "transports_active_out_idx" ON "transports" USING btree ("location_out_id","id") WHERE "transports"."status" <> 'Delivered';--> statement-breakpoint
CREATE INDEX "transports_active_in_idx" ON "transports" USING btree ("location_in_id","id") WHERE "transports"."status" <> 'Delivered';--> statement-breakpoint
CREATE INDEX "transports_active_company_idx" ON "transports" USING btree ("transport_company_id","id") WHERE "transports"."status" <> 'Delivered';