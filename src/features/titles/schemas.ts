import { titles } from '../../../db/schema'
import { TITLE_STAGES } from '../../../db/vocabulary'
import { deletable, integer, oneOf, orNull, record, type Schema, string } from '../../platform/docs/schema'

export const titleSchemas = (): Record<string, Schema> => ({
  StoredTitle: record(titles),
  Title: deletable(
    record(titles, { location_name: string, days_pending: integer, stage: orNull(oneOf(TITLE_STAGES)) }),
  ),
})
