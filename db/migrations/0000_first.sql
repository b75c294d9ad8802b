CREATE TABLE "osl_entries" (
	"id" serial PRIMARY KEY NOT NULL,
	"unit_number" varchar(6) NOT NULL,
	"ra_number" varchar(8),
	"ta_log_number" varchar(50),
	"po_number" varchar(50),
	"osl_date" date NOT NULL,
	"osl_mileage" integer,
	"location_id" integer NOT NULL,
	"key_location" varchar(100),
	"problem" text NOT NULL,
	"contact_phone" varchar(20),
	"contact_email" varchar(100),
	"fuel_level" varchar(10),
	"generator_hours" numeric(10, 1),
	"propane_level" varchar(20),
	"exchange_location" varchar(100),
	"non_rev_number" varchar(50),
	"fleet_registration_mailed" boolean DEFAULT false NOT NULL,
	"storage_fees_applicable" boolean DEFAULT false NOT NULL,
	"storage_fee_daily_rate" numeric(12, 2),
	"completed_at" timestamp with time zone,
	"model_year" smallint,
	"status" varchar(30) DEFAULT 'Out of Service' NOT NULL,
	"notes" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "osl_notes" (
	"id" serial PRIMARY KEY NOT NULL,
	"osl_id" integer NOT NULL,
	"note_text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" varchar(64) PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"address" varchar(64),
	"user_agent" varchar(300)
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" varchar(50) PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" serial PRIMARY KEY NOT NULL,
	"username" varchar(50) NOT NULL,
	"password_hash" text NOT NULL,
	"role" varchar(20) DEFAULT 'user' NOT NULL,
	"first_name" varchar(50),
	"last_name" varchar(50),
	"email" varchar(100),
	"phone" varchar(20),
	"is_active" boolean DEFAULT true NOT NULL,
	"must_change_password" boolean DEFAULT false NOT NULL,
	"last_login" timestamp with time zone,
	"previous_login" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" varchar(50),
	"source" varchar(10) NOT NULL,
	"address" varchar(64),
	"action" varchar(10) NOT NULL,
	"entity" varchar(40) NOT NULL,
	"entity_id" integer NOT NULL,
	"changes" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "locations" (
	"id" serial PRIMARY KEY NOT NULL,
	"location_code" varchar(20) NOT NULL,
	"location_name" varchar(100) NOT NULL,
	"location_type" varchar(20) DEFAULT 'Hub' NOT NULL,
	"address" varchar(255),
	"phone" varchar(20),
	"contact_email" varchar(100),
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"id" serial PRIMARY KEY NOT NULL,
	"unit_number" varchar(6) NOT NULL,
	"location_id" integer NOT NULL,
	"plate_number" varchar(20) NOT NULL,
	"state_province" char(2) NOT NULL,
	"date_issued" date NOT NULL,
	"date_expires" date NOT NULL,
	"registration_type" varchar(20) DEFAULT 'Renewal' NOT NULL,
	"cost" numeric(12, 2),
	"vlt" numeric(12, 2),
	"notes" text,
	"received" boolean DEFAULT false NOT NULL,
	"status" varchar(20) DEFAULT 'Pending' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "title_notes" (
	"id" serial PRIMARY KEY NOT NULL,
	"title_id" integer NOT NULL,
	"note_text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "titles" (
	"id" serial PRIMARY KEY NOT NULL,
	"unit_number" varchar(6) NOT NULL,
	"location_id" integer NOT NULL,
	"dealer_name" varchar(100),
	"dealer_contact" varchar(100),
	"submitted_date" date NOT NULL,
	"transferred_date" date,
	"notes" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "transport_companies" (
	"id" serial PRIMARY KEY NOT NULL,
	"company_name" varchar(100) NOT NULL,
	"contact_person" varchar(100),
	"phone" varchar(20),
	"email" varchar(100),
	"notes" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "transports" (
	"id" serial PRIMARY KEY NOT NULL,
	"unit_number" varchar(6) NOT NULL,
	"ra_number" varchar(8),
	"location_out_id" integer NOT NULL,
	"location_in_id" integer NOT NULL,
	"move_date" date NOT NULL,
	"estimated_arrival_date" date,
	"actual_arrival_date" date,
	"mileage" integer,
	"move_type" varchar(10) DEFAULT 'Fleet' NOT NULL,
	"transport_company_id" integer NOT NULL,
	"status" varchar(30) DEFAULT 'Awaiting Pickup' NOT NULL,
	"estimated_cost" numeric(12, 2),
	"final_cost" numeric(12, 2),
	"issue_po" boolean DEFAULT false NOT NULL,
	"po_number" varchar(50),
	"notes" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" serial PRIMARY KEY NOT NULL,
	"data_type" varchar(20) NOT NULL,
	"file_name" varchar(255) NOT NULL,
	"file_size" integer NOT NULL,
	"stored_as" varchar(60),
	"imported" integer NOT NULL,
	"failed" integer NOT NULL,
	"duplicates" integer NOT NULL,
	"message" text NOT NULL,
	"errors" jsonb NOT NULL,
	"validation_errors" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50)
);
--> statement-breakpoint
CREATE TABLE "vehicles" (
	"id" serial PRIMARY KEY NOT NULL,
	"unit_number" varchar(6) NOT NULL,
	"vin" varchar(17),
	"model_year" smallint,
	"current_mileage" integer,
	"current_status" varchar(50),
	"current_location" varchar(100),
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50),
	CONSTRAINT "vehicles_unit_number_key" UNIQUE("unit_number"),
	CONSTRAINT "vehicles_vin_key" UNIQUE("vin")
);
--> statement-breakpoint
CREATE TABLE "vendors" (
	"id" serial PRIMARY KEY NOT NULL,
	"vendor_name" varchar(100) NOT NULL,
	"vendor_type" varchar(50),
	"contact_person" varchar(100),
	"address" varchar(255),
	"phone" varchar(20),
	"email" varchar(100),
	"notes" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "osl_entries" ADD CONSTRAINT "osl_entries_unit_number_vehicles_unit_number_fk" FOREIGN KEY ("unit_number") REFERENCES "public"."vehicles"("unit_number") ON DELETE restrict ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "osl_entries" ADD CONSTRAINT "osl_entries_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "osl_notes" ADD CONSTRAINT "osl_notes_osl_id_osl_entries_id_fk" FOREIGN KEY ("osl_id") REFERENCES "public"."osl_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_unit_number_vehicles_unit_number_fk" FOREIGN KEY ("unit_number") REFERENCES "public"."vehicles"("unit_number") ON DELETE restrict ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "title_notes" ADD CONSTRAINT "title_notes_title_id_titles_id_fk" FOREIGN KEY ("title_id") REFERENCES "public"."titles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "titles" ADD CONSTRAINT "titles_unit_number_vehicles_unit_number_fk" FOREIGN KEY ("unit_number") REFERENCES "public"."vehicles"("unit_number") ON DELETE restrict ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "titles" ADD CONSTRAINT "titles_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transports" ADD CONSTRAINT "transports_unit_number_vehicles_unit_number_fk" FOREIGN KEY ("unit_number") REFERENCES "public"."vehicles"("unit_number") ON DELETE restrict ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "transports" ADD CONSTRAINT "transports_location_out_id_locations_id_fk" FOREIGN KEY ("location_out_id") REFERENCES "public"."locations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transports" ADD CONSTRAINT "transports_location_in_id_locations_id_fk" FOREIGN KEY ("location_in_id") REFERENCES "public"."locations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transports" ADD CONSTRAINT "transports_transport_company_id_transport_companies_id_fk" FOREIGN KEY ("transport_company_id") REFERENCES "public"."transport_companies"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "osl_entries_unit_number_idx" ON "osl_entries" USING btree ("unit_number" varchar_pattern_ops,"osl_date");--> statement-breakpoint
CREATE INDEX "osl_entries_location_id_idx" ON "osl_entries" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "osl_entries_osl_date_idx" ON "osl_entries" USING btree ("osl_date","id");--> statement-breakpoint
CREATE INDEX "osl_entries_active_idx" ON "osl_entries" USING btree ("osl_date","id") WHERE "osl_entries"."status" <> 'Completed';--> statement-breakpoint
CREATE INDEX "osl_entries_completed_at_idx" ON "osl_entries" USING btree ("completed_at","id") WHERE "osl_entries"."status" = 'Completed';--> statement-breakpoint
CREATE INDEX "osl_notes_osl_id_idx" ON "osl_notes" USING btree ("osl_id","id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "audit_entries_entity_idx" ON "audit_entries" USING btree ("entity","entity_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_actor_idx" ON "audit_entries" USING btree ("actor","id");--> statement-breakpoint
CREATE INDEX "audit_entries_at_idx" ON "audit_entries" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "locations_location_code_key" ON "locations" USING btree (lower("location_code"));--> statement-breakpoint
CREATE INDEX "registrations_unit_number_idx" ON "registrations" USING btree ("unit_number" varchar_pattern_ops,"date_expires");--> statement-breakpoint
CREATE INDEX "registrations_location_id_idx" ON "registrations" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "registrations_date_expires_idx" ON "registrations" USING btree ("date_expires","id");--> statement-breakpoint
CREATE INDEX "registrations_received_idx" ON "registrations" USING btree ("received","date_expires","id");--> statement-breakpoint
CREATE INDEX "registrations_plate_number_idx" ON "registrations" USING btree ("plate_number");--> statement-breakpoint
CREATE INDEX "title_notes_title_id_idx" ON "title_notes" USING btree ("title_id","id");--> statement-breakpoint
CREATE INDEX "titles_unit_number_idx" ON "titles" USING btree ("unit_number" varchar_pattern_ops);--> statement-breakpoint
CREATE INDEX "titles_location_id_idx" ON "titles" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "titles_pending_idx" ON "titles" USING btree ("submitted_date","id") WHERE "titles"."transferred_date" is null;--> statement-breakpoint
CREATE INDEX "titles_transferred_idx" ON "titles" USING btree ("transferred_date","id") WHERE "titles"."transferred_date" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transport_companies_company_name_key" ON "transport_companies" USING btree (lower("company_name"));--> statement-breakpoint
CREATE INDEX "transports_unit_number_idx" ON "transports" USING btree ("unit_number" varchar_pattern_ops,"move_date");--> statement-breakpoint
CREATE INDEX "transports_location_out_id_idx" ON "transports" USING btree ("location_out_id");--> statement-breakpoint
CREATE INDEX "transports_location_in_id_idx" ON "transports" USING btree ("location_in_id");--> statement-breakpoint
CREATE INDEX "transports_transport_company_id_idx" ON "transports" USING btree ("transport_company_id");--> statement-breakpoint
CREATE INDEX "transports_move_date_idx" ON "transports" USING btree ("move_date","id");--> statement-breakpoint
CREATE INDEX "transports_ra_number_idx" ON "transports" USING btree (lower("ra_number") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "transports_active_idx" ON "transports" USING btree ("move_date","id") WHERE "transports"."status" <> 'Delivered';--> statement-breakpoint
CREATE INDEX "transports_delivered_idx" ON "transports" USING btree ("move_date","id") WHERE "transports"."status" = 'Delivered';--> statement-breakpoint
CREATE INDEX "uploads_created_at_idx" ON "uploads" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "uploads_data_type_idx" ON "uploads" USING btree ("data_type");--> statement-breakpoint
CREATE UNIQUE INDEX "vendors_vendor_name_key" ON "vendors" USING btree (lower("vendor_name"));