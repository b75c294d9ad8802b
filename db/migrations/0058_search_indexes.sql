DROP INDEX "transports_location_out_id_idx";--> statement-breakpoint
DROP INDEX "transports_location_in_id_idx";--> statement-breakpoint
DROP INDEX "transports_transport_company_id_idx";--> statement-breakpoint
CREATE INDEX "transports_location_out_id_idx" ON "transports" USING btree ("location_out_id","move_date","id","status","move_type","final_cost","estimated_cost");--> statement-breakpoint
CREATE INDEX "transports_location_in_id_idx" ON "transports" USING btree ("location_in_id","move_date","id","status","move_type","final_cost","estimated_cost");--> statement-breakpoint
CREATE INDEX "transports_transport_company_id_idx" ON "transports" USING btree ("transport_company_id","move_date","id","status","move_type","final_cost","estimated_cost");