CREATE TABLE "upload_files" (
	"name" varchar(36) PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);
