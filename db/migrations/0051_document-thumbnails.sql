CREATE TABLE "document_thumbnails" (
	"document_id" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "document_thumbnails_document_id_pk" PRIMARY KEY("document_id")
);
--> statement-breakpoint
ALTER TABLE "document_thumbnails" ADD CONSTRAINT "document_thumbnails_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;