CREATE TABLE "webhook_deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"webhook_id" integer NOT NULL,
	"message_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"type" varchar(40) NOT NULL,
	"record_id" integer NOT NULL,
	"audit_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"status" varchar(10) DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"body" text,
	"delivered_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" serial PRIMARY KEY NOT NULL,
	"url" varchar(500) NOT NULL,
	"events" text[] NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"disabled_note" text,
	"secret" text NOT NULL,
	"old_secret" text,
	"old_secret_until" timestamp with time zone,
	"sending_until" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_idx" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_next_at_idx" ON "webhook_deliveries" USING btree ("next_at","webhook_id") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM webhooks WHERE is_active) THEN RETURN NULL; END IF;
  INSERT INTO webhook_deliveries (webhook_id, type, record_id, audit_id, created_at, next_at)
  SELECT w.id, e.type, e.entity_id, e.id, e.at, e.at
  FROM (
    SELECT a.id, a.at, a.entity_id, CASE a.entity
        WHEN 'transports' THEN 'transport' WHEN 'osl_entries' THEN 'osl' WHEN 'registrations' THEN 'registration'
        WHEN 'titles' THEN 'title' WHEN 'vehicles' THEN 'vehicle' WHEN 'locations' THEN 'location'
        WHEN 'transport_companies' THEN 'transport_company' WHEN 'vendors' THEN 'vendor' END
      || '.' || CASE a.action WHEN 'restore' THEN 'restored' ELSE a.action || 'd' END AS type
    FROM added a
  ) e
  JOIN webhooks w ON w.is_active AND w.events && ARRAY[e.type, '*']
  WHERE e.type IS NOT NULL
  ORDER BY e.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_entries_webhooks AFTER INSERT ON audit_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_webhooks();
--> statement-breakpoint
CREATE FUNCTION queue_import_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, type, record_id, created_at, next_at)
  SELECT w.id, 'import.finished', NEW.id, now(), NEW.created_at
  FROM webhooks w WHERE w.is_active AND w.events && ARRAY['import.finished', '*'];
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER uploads_webhooks AFTER UPDATE OF status ON uploads FOR EACH ROW
  WHEN (NEW.status = 'done' AND OLD.status <> 'done') EXECUTE FUNCTION queue_import_webhooks();
