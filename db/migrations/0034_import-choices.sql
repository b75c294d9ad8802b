DROP INDEX "import_aliases_alias_key";--> statement-breakpoint
ALTER TABLE "import_aliases" ADD COLUMN "value" varchar(200);--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "defaults" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "sheet" varchar(31);--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "encoding" varchar(20);--> statement-breakpoint
CREATE UNIQUE INDEX "import_aliases_alias_key" ON "import_aliases" USING btree ("kind",coalesce("data_type", ''),lower("alias"),(case when "kind" = 'value' then "field" else '' end));