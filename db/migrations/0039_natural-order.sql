-- Sorts names ignoring case and accents, and numbers in them by value, alike on both engines. The locale has the older
-- notation because the embedded engine reads no other. A server without ICU sorts by code point. A restore drops
-- tables and functions, but no collation.
DO $$
BEGIN
  CREATE COLLATION IF NOT EXISTS natural_order (provider = icu, locale = 'en@colNumeric=yes');
EXCEPTION WHEN OTHERS THEN
  CREATE COLLATION natural_order FROM "C";
END $$;
--> statement-breakpoint
DROP INDEX locations_location_name_idx;
--> statement-breakpoint
DROP INDEX transport_companies_company_name_idx;
--> statement-breakpoint
CREATE INDEX locations_location_name_idx ON locations (location_name COLLATE natural_order);
--> statement-breakpoint
CREATE INDEX transport_companies_company_name_idx ON transport_companies (company_name COLLATE natural_order);
--> statement-breakpoint
CREATE INDEX vehicles_current_location_natural_idx ON vehicles (current_location COLLATE natural_order, id);
