CREATE TABLE "due_assignments" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" varchar(30) NOT NULL,
	"record_id" integer NOT NULL,
	"assigned_to" varchar(50),
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "waiting_on" varchar(20);--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "next_action" varchar(255);--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "next_action_on" date;--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "owner" varchar(50);--> statement-breakpoint
ALTER TABLE "osl_entries" ADD COLUMN "expected_return" date;--> statement-breakpoint
CREATE UNIQUE INDEX "due_assignments_kind_record_id_key" ON "due_assignments" USING btree ("kind","record_id");