CREATE TABLE "tallies" (
	"tally" varchar(30) NOT NULL,
	"day" date NOT NULL,
	"type" varchar(20) NOT NULL,
	"count" integer NOT NULL,
	"amount" numeric(16, 2) NOT NULL
);
--> statement-breakpoint
CREATE INDEX "tallies_tally_day_idx" ON "tallies" USING btree ("tally","day");--> statement-breakpoint
CREATE INDEX "transports_over_estimate_idx" ON "transports" USING btree ("move_date","final_cost","estimated_cost") WHERE "transports"."status" = 'Delivered' and "transports"."final_cost" > "transports"."estimated_cost";
--> statement-breakpoint
CREATE FUNCTION tally_transports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM tallies WHERE tally = 'delivered transports';
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO tallies SELECT 'delivered transports', move_date, move_type, count(*), sum(coalesce(final_cost, 0))
    FROM came WHERE status = 'Delivered' GROUP BY move_date, move_type;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO tallies SELECT 'delivered transports', move_date, move_type, -count(*), -sum(coalesce(final_cost, 0))
    FROM went WHERE status = 'Delivered' GROUP BY move_date, move_type;
  ELSE
    INSERT INTO tallies SELECT 'delivered transports', move_date, move_type, sum(sign), sum(sign * amount) FROM (
      SELECT 1 AS sign, move_date, move_type, coalesce(final_cost, 0) AS amount FROM came WHERE status = 'Delivered'
      UNION ALL SELECT -1, move_date, move_type, coalesce(final_cost, 0) AS amount FROM went WHERE status = 'Delivered') x
    GROUP BY move_date, move_type HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER tally_came AFTER INSERT ON transports REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION tally_transports();
--> statement-breakpoint
CREATE TRIGGER tally_went AFTER DELETE ON transports REFERENCING OLD TABLE AS went
  FOR EACH STATEMENT EXECUTE FUNCTION tally_transports();
--> statement-breakpoint
CREATE TRIGGER tally_changed AFTER UPDATE ON transports REFERENCING OLD TABLE AS went NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION tally_transports();
--> statement-breakpoint
CREATE TRIGGER tally_emptied AFTER TRUNCATE ON transports
  FOR EACH STATEMENT EXECUTE FUNCTION tally_transports();
--> statement-breakpoint
INSERT INTO tallies SELECT 'delivered transports', move_date, move_type, count(*), sum(coalesce(final_cost, 0))
FROM transports WHERE status = 'Delivered' GROUP BY move_date, move_type;
--> statement-breakpoint
CREATE FUNCTION tally_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM tallies WHERE tally = 'received registrations';
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO tallies SELECT 'received registrations', date_expires, registration_type, count(*), sum(coalesce(cost, 0) + coalesce(vlt, 0))
    FROM came WHERE received GROUP BY date_expires, registration_type;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO tallies SELECT 'received registrations', date_expires, registration_type, -count(*), -sum(coalesce(cost, 0) + coalesce(vlt, 0))
    FROM went WHERE received GROUP BY date_expires, registration_type;
  ELSE
    INSERT INTO tallies SELECT 'received registrations', date_expires, registration_type, sum(sign), sum(sign * amount) FROM (
      SELECT 1 AS sign, date_expires, registration_type, coalesce(cost, 0) + coalesce(vlt, 0) AS amount FROM came WHERE received
      UNION ALL SELECT -1, date_expires, registration_type, coalesce(cost, 0) + coalesce(vlt, 0) AS amount FROM went WHERE received) x
    GROUP BY date_expires, registration_type HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER tally_came AFTER INSERT ON registrations REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION tally_registrations();
--> statement-breakpoint
CREATE TRIGGER tally_went AFTER DELETE ON registrations REFERENCING OLD TABLE AS went
  FOR EACH STATEMENT EXECUTE FUNCTION tally_registrations();
--> statement-breakpoint
CREATE TRIGGER tally_changed AFTER UPDATE ON registrations REFERENCING OLD TABLE AS went NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION tally_registrations();
--> statement-breakpoint
CREATE TRIGGER tally_emptied AFTER TRUNCATE ON registrations
  FOR EACH STATEMENT EXECUTE FUNCTION tally_registrations();
--> statement-breakpoint
INSERT INTO tallies SELECT 'received registrations', date_expires, registration_type, count(*), sum(coalesce(cost, 0) + coalesce(vlt, 0))
FROM registrations WHERE received GROUP BY date_expires, registration_type;
