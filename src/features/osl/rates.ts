import { asc, eq } from 'drizzle-orm'
import { type Db, violatedUnique } from '../../../db/client'
import { type Changes, oslEntries, oslRates } from '../../../db/schema'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Conflict, Missing, Refused } from '../../platform/refusals'

/**
 * Daily storage rate of an OSL entry (out-of-service period). The rate applies from the day `from` on. Rates are
 * deleted and restored with their entry.
 */

export type OslRate = typeof oslRates.$inferSelect
type NewRate = { from: string; daily_rate: number }

/**
 * Lists the later daily rates of an OSL entry, earliest first. The first rate is not included, because it is stored in
 * the entry itself.
 * @throws Missing when the entry does not exist
 */
export async function listRates(db: Db, osl_id: number): Promise<OslRate[]> {
  const [entry] = await db.select({ id: oslEntries.id }).from(oslEntries).where(eq(oslEntries.id, osl_id))
  if (!entry) throw new Missing('OSL entry')
  return db.select().from(oslRates).where(eq(oslRates.osl_id, osl_id)).orderBy(asc(oslRates.from))
}

/** Maximum number of later daily rates of an OSL entry. Reports compute the fees of each entry rate by rate. */
const RATES_LIMIT = 24

/**
 * Adds a daily storage rate, and turns storage fees on. If storage was free before, the days before `from` stay free.
 * @throws Missing when the OSL entry does not exist
 * @throws Refused when the day is before the OSL date
 * @throws Conflict when another rate starts on that day, or the entry already has too many later rates
 */
export const addRate = (write: Write, osl_id: number, { from, daily_rate }: NewRate): Promise<OslRate> =>
  inTransaction(write, async (write) => {
    await changeRecord(write, oslEntries, {
      id: osl_id,
      what: 'OSL entry',
      changesPart: true,
      values(entry) {
        if (from < entry.osl_date) throw Refused.field('from', 'The rate must not start before the OSL date')
        if (entry.storage_fees_applicable) return {}
        return { storage_fees_applicable: true, storage_fee_daily_rate: entry.storage_fee_daily_rate ?? 0 }
      },
    })
    if ((await write.db.$count(oslRates, eq(oslRates.osl_id, osl_id))) >= RATES_LIMIT) {
      const message = `An OSL entry can have at most ${RATES_LIMIT} later daily rates`
      throw new Conflict(message, [{ field: 'from', message }])
    }
    return createRecord(write, oslRates, { osl_id, from, daily_rate })
  }).catch((error) => {
    if (violatedUnique(error) === null) throw error
    throw new Conflict('Another daily rate already starts on this date', [
      { field: 'from', message: 'Another daily rate already starts on this date. Delete the other rate first.' },
    ])
  })

/**
 * @param osl_id the OSL entry that the rate must belong to, if given
 * @throws Missing when the rate does not exist or belongs to another entry
 */
export const removeRate = (write: Write, id: number, osl_id?: number): Promise<OslRate> =>
  inTransaction(write, async (write) => {
    const [rate] = await write.db.select({ osl_id: oslRates.osl_id }).from(oslRates).where(eq(oslRates.id, id))
    if (!rate || (osl_id !== undefined && rate.osl_id !== osl_id)) throw new Missing('Rate')
    await changeRecord(write, oslEntries, { id: rate.osl_id, what: 'OSL entry', changesPart: true, values: {} })
    return removeRecord(write, oslRates, id, 'Rate')
  })

/**
 * Deletes all daily rates of an OSL entry. This is necessary when a user turns the storage fees off. If the rates
 * stayed stored, they would apply again when a user turns the fees on later.
 */
export async function removeRates(write: Write, osl_id: number) {
  for (const { id } of await write.db.select({ id: oslRates.id }).from(oslRates).where(eq(oslRates.osl_id, osl_id)))
    await removeRecord(write, oslRates, id, 'Rate')
}

/**
 * Key of the daily rates in the audit entry of a deletion. A restore of the OSL entry reads the rates from that audit
 * entry.
 */
const RATES_FIELD = 'rates'

export const oslEntryRates = {
  async snapshot(tx: Db, osl_id: number): Promise<Record<string, unknown>> {
    const rates = await listRates(tx, osl_id)
    return rates.length ? { [RATES_FIELD]: rates } : {}
  },
  async restore(tx: Db, osl_id: number, deletion: Changes): Promise<void> {
    const rates = (deletion[RATES_FIELD]?.old ?? []) as OslRate[]
    const dated = rates.map((rate) => ({
      ...rate,
      osl_id,
      created_at: new Date(rate.created_at),
      updated_at: new Date(rate.updated_at),
    }))
    if (dated.length) await tx.insert(oslRates).values(dated)
  },
}
