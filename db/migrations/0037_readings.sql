CREATE TABLE "vehicle_readings" (
	"id" serial PRIMARY KEY NOT NULL,
	"unit_number" varchar(6) NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"mileage" integer,
	"location" varchar(100),
	"is_ignored" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50)
);
--> statement-breakpoint
ALTER TABLE "vehicle_readings" ADD CONSTRAINT "vehicle_readings_unit_number_vehicles_unit_number_fk" FOREIGN KEY ("unit_number") REFERENCES "public"."vehicles"("unit_number") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "vehicle_readings_unit_number_at_key" ON "vehicle_readings" USING btree ("unit_number","at");