CREATE INDEX "vehicles_unit_begins_idx" ON "vehicles" USING btree ("unit_number" varchar_pattern_ops);--> statement-breakpoint
CREATE INDEX "vehicles_vin_begins_idx" ON "vehicles" USING btree ("vin" varchar_pattern_ops);--> statement-breakpoint
CREATE INDEX "vehicles_vin_ends_idx" ON "vehicles" USING btree (reverse("vin") text_pattern_ops);