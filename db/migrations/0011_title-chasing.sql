ALTER TABLE "titles" ADD COLUMN "last_chased_on" date;--> statement-breakpoint
ALTER TABLE "titles" ADD COLUMN "next_chase_on" date;