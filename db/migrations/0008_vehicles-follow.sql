DROP INDEX "registrations_plate_number_idx";--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "vendor_id" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "header_row" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "new_names" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "osl_entries" ADD CONSTRAINT "osl_entries_vendor_id_vendors_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "osl_entries_vendor_id_idx" ON "osl_entries" USING btree ("vendor_id");--> statement-breakpoint
CREATE INDEX "osl_entries_ra_number_idx" ON "osl_entries" USING btree (lower("ra_number") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "osl_entries_po_number_idx" ON "osl_entries" USING btree (lower("po_number") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "vehicles_current_location_idx" ON "vehicles" USING btree ("current_location");--> statement-breakpoint
CREATE INDEX "registrations_plate_number_idx" ON "registrations" USING btree (lower("plate_number") text_pattern_ops);--> statement-breakpoint
-- Vehicles say what their records say, where nobody has said otherwise.
with last_move as (
  select distinct on (unit_number) unit_number, move_type, location_in_id, coalesce(actual_arrival_date, move_date) as day
  from transports where status = 'Delivered' order by unit_number, coalesce(actual_arrival_date, move_date) desc, id desc),
last_osl as (select distinct on (unit_number) unit_number, location_id, osl_date as day from osl_entries order by unit_number, osl_date desc, id desc),
out_of_service as (select distinct unit_number from osl_entries where status <> 'Completed'),
moving as (select distinct unit_number from transports where status = 'In Transit'),
readings as (
  select unit_number, max(mileage) as mileage from (select unit_number, mileage from transports union all select unit_number, osl_mileage from osl_entries) r group by unit_number),
years as (select distinct on (unit_number) unit_number, model_year from osl_entries where model_year is not null order by unit_number, osl_date desc, id desc)
update vehicles v set
  current_status = coalesce(v.current_status, d.status),
  current_location = coalesce(v.current_location, d.location_name),
  current_mileage = coalesce(v.current_mileage, d.mileage),
  model_year = coalesce(v.model_year, d.model_year)
from (
  select x.id, case when o.unit_number is not null then 'Out of Service' when m.unit_number is not null then 'In Transit' when t.move_type = 'Sales' then 'Sold' else 'Available' end as status,
    (select location_name from locations where id = case when s.day > coalesce(t.day, '-infinity') then s.location_id else t.location_in_id end) as location_name,
    r.mileage, y.model_year
  from vehicles x left join last_move t on t.unit_number = x.unit_number left join last_osl s on s.unit_number = x.unit_number
    left join out_of_service o on o.unit_number = x.unit_number left join moving m on m.unit_number = x.unit_number
    left join readings r on r.unit_number = x.unit_number left join years y on y.unit_number = x.unit_number) d
where d.id = v.id;
