ALTER TABLE "titles" ADD COLUMN "requested_on" date;--> statement-breakpoint
ALTER TABLE "titles" ADD COLUMN "sent_on" date;--> statement-breakpoint
ALTER TABLE "titles" ADD COLUMN "in_transit_on" date;--> statement-breakpoint
ALTER TABLE "titles" ADD COLUMN "received_on" date;