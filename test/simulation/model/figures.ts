import { dollars, type Fleet, sum } from './fleet'
import { addDays, daysBetween } from './records'

const ids = (records: { id: number }[]) => records.map(({ id }) => id).sort((a, b) => a - b)

/** Ids of the records in each list, by its path. */
export function listsOf(fleet: Fleet) {
  const { today, transports, osl, registrations, titles } = fleet
  const start = addDays(today, -60)
  const delivered = transports.filter(
    ({ status, move_date }) => status === 'Delivered' && move_date >= start && move_date <= today,
  )
  const pending = titles.filter(({ transferred_date }) => !transferred_date)
  return {
    '/transports/active': ids(transports.filter(({ status }) => status !== 'Delivered')),
    [`/transports/completed?start_date=${start}&end_date=${today}`]: ids(delivered),
    '/osl/active': ids(osl.filter(({ status }) => status !== 'Completed')),
    [`/osl/completed?start_date=${start}&end_date=${today}`]: ids(
      osl.filter(({ completed_on }) => completed_on && completed_on >= start && completed_on <= today),
    ),
    '/registrations/pending': ids(registrations.filter(({ received }) => !received)),
    '/registrations/completed': ids(registrations.filter(({ received }) => received)),
    '/registrations/expiring?days=30': ids(registrations.filter((one) => fleet.isExpiring(one, 30))),
    '/registrations/overdue': ids(latestOf(registrations).filter(({ date_expires }) => date_expires < today)),
    '/titles/pending': ids(pending),
    '/titles/transferred': ids(titles.filter(({ transferred_date }) => transferred_date)),
    '/titles/overdue?days=30': ids(pending.filter((one) => fleet.daysPending(one) > 30)),
  }
}

/** Figures of the dashboard, the reports and the due items. Money is in dollars. */
export function figuresOf(fleet: Fleet) {
  const { today, transports, osl, registrations, titles } = fleet
  const lists = listsOf(fleet)
  const active = osl.filter(({ status }) => status !== 'Completed')
  const start = addDays(today, -60)
  const completed = transports.filter(
    ({ status, move_date }) => status === 'Delivered' && move_date >= start && move_date <= today,
  )
  const byType = Map.groupBy(completed, ({ move_type }) => move_type)
  const counts = {
    active_transports: lists['/transports/active'].length,
    active_osl: active.length,
    pending_registrations: lists['/registrations/pending'].length,
    pending_titles: lists['/titles/pending'].length,
    expiring_total: lists['/registrations/expiring?days=30'].length,
  }
  return {
    dashboard: { ...counts, storage_fees_total: dollars(sum(active.map(fleet.fees))) },
    transports: Object.fromEntries(
      [...byType].map(([move_type, all]) => [
        move_type,
        { count: all.length, total_cost: dollars(sum(all.map(({ final_cost }) => final_cost ?? 0))) },
      ]),
    ),
    osl: Object.fromEntries(
      osl.map((entry) => [
        entry.id,
        {
          days_out_of_service: daysBetween(entry.osl_date, entry.completed_on ?? today),
          storage_fees_total: dollars(fleet.fees(entry)),
          completed_on: entry.completed_on,
        },
      ]),
    ),
    registrations: {
      pending: lists['/registrations/pending'].length,
      completed: lists['/registrations/completed'].length,
      expiring: counts.expiring_total,
      expired: registrations.filter(({ status }) => status === 'Expired').length,
      total_cost: dollars(sum(registrations.map(({ cost }) => cost ?? 0))),
      total_vlt: dollars(sum(registrations.map(({ vlt }) => vlt ?? 0))),
    },
    titles: {
      pending: counts.pending_titles,
      transferred: titles.length - counts.pending_titles,
      overdue: lists['/titles/overdue?days=30'].length,
    },
    days_pending: Object.fromEntries(titles.map((one) => [one.id, fleet.daysPending(one)])),
    due: dueOf(fleet),
  }
}

/** The registrations without a later one of the same unit. */
const latestOf = (registrations: Fleet['registrations']) =>
  registrations.filter(
    (one) =>
      !registrations.some((other) => other.unit_number === one.unit_number && other.date_expires > one.date_expires),
  )

function dueOf(fleet: Fleet) {
  const { today, transports, osl, registrations, titles } = fleet
  const delivered = transports.filter(({ status }) => status === 'Delivered')
  const sold = new Set(delivered.filter(({ move_type }) => move_type === 'Sales').map((one) => one.unit_number))
  return {
    transport_late: transports.filter(
      ({ status, estimated_arrival_date: day }) => status !== 'Delivered' && day !== null && day < today,
    ).length,
    transport_no_cost: delivered.filter(
      ({ final_cost, actual_arrival_date }) =>
        final_cost === null && (actual_arrival_date ?? today) <= addDays(today, -7),
    ).length,
    transport_no_po: transports.filter(({ issue_po, po_number }) => issue_po && !po_number).length,
    osl_stale: osl.filter(({ status, touched_on }) => status !== 'Completed' && touched_on <= addDays(today, -7))
      .length,
    registration_expired: latestOf(registrations).filter(({ date_expires }) => date_expires < today).length,
    registration_expiring: registrations.filter((one) => fleet.isExpiring(one, 30)).length,
    title_overdue: titles.filter(
      (one) =>
        !one.transferred_date &&
        fleet.daysPending(one) > 14 &&
        (one.next_chase_on === null || one.next_chase_on <= today),
    ).length,
    title_missing: [...sold].filter((unit) => !titles.some(({ unit_number }) => unit_number === unit)).length,
  }
}
