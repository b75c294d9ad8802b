-- Uncompressed values, from which Postgres can read a piece without the rest. Photos and PDF files are compressed already.
ALTER TABLE "upload_files" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "document_contents" ALTER COLUMN "content" SET STORAGE EXTERNAL;
