CREATE TABLE "report_runs" (
	"id" serial PRIMARY KEY NOT NULL,
	"schedule_id" integer NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"ran_at" timestamp with time zone NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date NOT NULL,
	"row_count" integer DEFAULT 0 NOT NULL,
	"file_name" varchar(120),
	"content" "bytea",
	"error" text
);
--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" varchar(100) NOT NULL,
	"report_type" varchar(40) NOT NULL,
	"frequency" varchar(10) NOT NULL,
	"weekday" smallint,
	"day_of_month" smallint,
	"hour" smallint DEFAULT 6 NOT NULL,
	"period" varchar(20) NOT NULL,
	"location_id" integer,
	"format" varchar(10) DEFAULT 'xlsx' NOT NULL,
	"skip_empty" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"next_run_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "report_runs" ADD CONSTRAINT "report_runs_schedule_id_report_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."report_schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_runs_schedule_id_idx" ON "report_runs" USING btree ("schedule_id","id");--> statement-breakpoint
CREATE INDEX "report_schedules_location_id_idx" ON "report_schedules" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "report_schedules_next_run_at_idx" ON "report_schedules" USING btree ("next_run_at");--> statement-breakpoint
INSERT INTO "report_schedules" ("name", "report_type", "frequency", "weekday", "day_of_month", "period") VALUES
  ('Weekly transport summary', 'transport_summary', 'weekly', 1, NULL, 'last week'),
  ('Monthly cost analysis', 'monthly_costs', 'monthly', NULL, 1, 'last month');
