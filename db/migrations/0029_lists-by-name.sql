DROP INDEX "transports_delivered_idx";--> statement-breakpoint
CREATE INDEX "locations_location_name_idx" ON "locations" USING btree ("location_name");--> statement-breakpoint
CREATE INDEX "transport_companies_company_name_idx" ON "transport_companies" USING btree ("company_name");--> statement-breakpoint
CREATE INDEX "transports_active_out_idx" ON "transports" USING btree ("location_out_id","id") WHERE "transports"."status" <> 'Delivered';--> statement-breakpoint
CREATE INDEX "transports_active_in_idx" ON "transports" USING btree ("location_in_id","id") WHERE "transports"."status" <> 'Delivered';--> statement-breakpoint
CREATE INDEX "transports_delivered_idx" ON "transports" USING btree ("move_date","id","move_type","final_cost","estimated_cost") WHERE "transports"."status" = 'Delivered';