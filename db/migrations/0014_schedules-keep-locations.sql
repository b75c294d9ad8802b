ALTER TABLE "report_schedules" DROP CONSTRAINT "report_schedules_location_id_locations_id_fk";
--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE restrict ON UPDATE no action;