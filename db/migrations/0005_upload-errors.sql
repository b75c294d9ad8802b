INSERT INTO "upload_rows" ("upload_id", "row", "outcome", "cells", "message")
SELECT u."id", e."row", 'error', '{}', string_agg(e."message", '; ')
FROM "uploads" u, jsonb_to_recordset(u."errors") AS e("row" int, "message" text)
GROUP BY u."id", e."row";--> statement-breakpoint
UPDATE "uploads" SET "row_count" = "imported" + "failed" + "duplicates", "progress" = 1000;--> statement-breakpoint
ALTER TABLE "uploads" DROP COLUMN "errors";
