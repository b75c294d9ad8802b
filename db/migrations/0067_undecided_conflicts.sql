-- previous version works
ALTER TABLE "uploads" ALTER COLUMN "skip_conflicts" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "uploads" ALTER COLUMN "skip_conflicts" DROP NOT NULL;
