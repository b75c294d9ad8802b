ALTER TABLE "vehicles" ADD COLUMN "registered_until" date;--> statement-breakpoint
CREATE INDEX "vehicles_registered_until_idx" ON "vehicles" USING btree ("registered_until");--> statement-breakpoint
-- A vehicle's row is locked before its registrations are looked at, so that of two who change them at once the second sees
-- what the first did.
CREATE FUNCTION keep_registered_until(units text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM vehicles WHERE unit_number = ANY (units) ORDER BY unit_number FOR NO KEY UPDATE;
  UPDATE vehicles v SET registered_until = last.day
  FROM (SELECT x.unit_number, (SELECT max(r.date_expires) FROM registrations r WHERE r.unit_number = x.unit_number) AS day
    FROM vehicles x WHERE x.unit_number = ANY (units)) last
  WHERE last.unit_number = v.unit_number AND v.registered_until IS DISTINCT FROM last.day;
END
$$;
--> statement-breakpoint
CREATE FUNCTION registrations_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_registered_until((SELECT array_agg(DISTINCT unit_number::text) FROM came));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION registrations_went() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_registered_until((SELECT array_agg(DISTINCT unit_number::text) FROM went));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION registrations_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_registered_until(array_agg(DISTINCT x.unit)) FROM (
    SELECT unnest(ARRAY[w.unit_number::text, c.unit_number::text]) AS unit FROM went w JOIN came c ON c.id = w.id
    WHERE (w.unit_number, w.date_expires) IS DISTINCT FROM (c.unit_number, c.date_expires)) x HAVING count(*) > 0;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER registrations_came AFTER INSERT ON registrations REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION registrations_came();
--> statement-breakpoint
CREATE TRIGGER registrations_went AFTER DELETE ON registrations REFERENCING OLD TABLE AS went
  FOR EACH STATEMENT EXECUTE FUNCTION registrations_went();
--> statement-breakpoint
CREATE TRIGGER registrations_changed AFTER UPDATE ON registrations REFERENCING OLD TABLE AS went NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION registrations_changed();
--> statement-breakpoint
UPDATE vehicles v SET registered_until = r.day
FROM (SELECT unit_number, max(date_expires) AS day FROM registrations GROUP BY unit_number) r WHERE r.unit_number = v.unit_number;
