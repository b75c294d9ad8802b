CREATE TABLE "company_settings" (
	"id" serial PRIMARY KEY NOT NULL,
	"company_name" varchar(100),
	"address" text,
	"phone" varchar(20),
	"email" varchar(100),
	"registration_days" integer DEFAULT 30 NOT NULL,
	"title_days" integer DEFAULT 14 NOT NULL,
	"title_danger_days" integer DEFAULT 30 NOT NULL,
	"osl_days" integer DEFAULT 7 NOT NULL,
	"cost_days" integer DEFAULT 7 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(50),
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" varchar(50)
);
--> statement-breakpoint
INSERT INTO "company_settings" ("id") VALUES (1);
