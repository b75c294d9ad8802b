CREATE TABLE "list_layouts" (
	"user_id" integer NOT NULL,
	"list" varchar(20) NOT NULL,
	"hidden" jsonb NOT NULL,
	"added" jsonb NOT NULL,
	"density" varchar(10) NOT NULL,
	CONSTRAINT "list_layouts_user_id_list_pk" PRIMARY KEY("user_id","list")
);
--> statement-breakpoint
ALTER TABLE "list_layouts" ADD CONSTRAINT "list_layouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;