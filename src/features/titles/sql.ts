import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { TitleStage } from '../../../db/vocabulary'

/** SQL expressions on titles. Lists, counts, reports and exports share them, so that their figures agree. */

type TitleColumns = { submitted_date: AnyPgColumn; transferred_date: AnyPgColumn }
type Stages = Record<'requested_on' | 'sent_on' | 'in_transit_on' | 'received_on', AnyPgColumn>

export const isPending = (title: TitleColumns): SQL => sql`${title.transferred_date} is null`
export const isTransferred = (title: TitleColumns): SQL => sql`${title.transferred_date} is not null`

export const stageOf = (title: Stages): SQL<TitleStage | null> =>
  sql<TitleStage | null>`case when ${title.received_on} is not null then 'Received'
    when ${title.in_transit_on} is not null then 'In Transit' when ${title.sent_on} is not null then 'Sent'
    when ${title.requested_on} is not null then 'Requested' end`

export const daysPending = (title: TitleColumns, today: string): SQL<number> =>
  sql<number>`greatest(coalesce(${title.transferred_date}, ${today}::date) - ${title.submitted_date}, 0)`.mapWith(
    Number,
  )

export const isOverdue = (title: TitleColumns, today: string, days: number): SQL =>
  sql`(${isPending(title)} and ${daysPending(title, today)} > ${days}::int)`
