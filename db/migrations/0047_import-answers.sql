DROP INDEX "import_aliases_alias_key";--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "skip_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "import_aliases_alias_key" ON "import_aliases" USING btree ("kind",coalesce("data_type", ''),lower("alias"),(case when "kind" in ('value', 'word') then "field" else '' end));