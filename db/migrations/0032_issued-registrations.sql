CREATE OR REPLACE FUNCTION tally_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM tallies WHERE tally IN ('received registrations', 'issued registrations');
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO tallies
    SELECT 'received registrations', date_expires, registration_type, count(*), sum(coalesce(cost, 0) + coalesce(vlt, 0))
    FROM came WHERE received GROUP BY date_expires, registration_type
    UNION ALL
    SELECT 'issued registrations', date_issued, registration_type, count(*), sum(coalesce(cost, 0) + coalesce(vlt, 0))
    FROM came GROUP BY date_issued, registration_type;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO tallies
    SELECT 'received registrations', date_expires, registration_type, -count(*), -sum(coalesce(cost, 0) + coalesce(vlt, 0))
    FROM went WHERE received GROUP BY date_expires, registration_type
    UNION ALL
    SELECT 'issued registrations', date_issued, registration_type, -count(*), -sum(coalesce(cost, 0) + coalesce(vlt, 0))
    FROM went GROUP BY date_issued, registration_type;
  ELSE
    INSERT INTO tallies SELECT tally, day, registration_type, sum(sign), sum(sign * amount) FROM (
      SELECT 1 AS sign, 'received registrations' AS tally, date_expires AS day, registration_type,
        coalesce(cost, 0) + coalesce(vlt, 0) AS amount FROM came WHERE received
      UNION ALL
      SELECT -1, 'received registrations', date_expires, registration_type, coalesce(cost, 0) + coalesce(vlt, 0)
      FROM went WHERE received
      UNION ALL
      SELECT 1, 'issued registrations', date_issued, registration_type, coalesce(cost, 0) + coalesce(vlt, 0) FROM came
      UNION ALL
      SELECT -1, 'issued registrations', date_issued, registration_type, coalesce(cost, 0) + coalesce(vlt, 0) FROM went) x
    GROUP BY tally, day, registration_type HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
INSERT INTO tallies SELECT 'issued registrations', date_issued, registration_type, count(*), sum(coalesce(cost, 0) + coalesce(vlt, 0))
FROM registrations GROUP BY date_issued, registration_type;
