import { z } from 'zod'
import { MOVE_TYPES, TRANSPORT_STATUSES } from '../../../db/vocabulary'
import { addDays } from '../../platform/clock'
import { choice } from '../../platform/fields'
import {
  anyCase,
  companyColumn,
  countColumn,
  dateColumn,
  externalIdColumn,
  flagColumn,
  locationColumn,
  moneyColumn,
  required,
  requiredDateColumn,
  textColumn,
  unitColumn,
  wordColumn,
} from '../../platform/imports/columns'
import { AFTER_TODAY, type ImportKind } from '../../platform/imports/kind'
import { inWords, isFar, isLongAgo, LONG_AGO_YEARS } from '../../platform/records/warnings'
import { isCostKept } from '../billing'
import { datedHeadings, headings, suggestedHeadings } from './import-headings'
import { readRoute } from './route'
import { checkDates, transport } from './rules'

/** A final cost this many times the estimate is probably a typo. */
const HIGH_FACTOR = 20

const STATUSES = 'Awaiting Pickup, Searching For Driver, Vehicle Not Ready, In Transit or Delivered'

export const transportImport: ImportKind = {
  dataType: 'transports',
  table: 'transports',
  columns: [
    unitColumn,
    locationColumn('location_out'),
    locationColumn('location_in'),
    requiredDateColumn('move_date'),
    companyColumn('transport_company'),
    required({
      ...wordColumn('status', TRANSPORT_STATUSES, STATUSES),
      rule: z.preprocess(anyCase(TRANSPORT_STATUSES), choice(TRANSPORT_STATUSES, 'Is required')),
      rowDefaults: (['In Transit', 'Awaiting Pickup'] as const).map((open) => ({
        label: `Delivered if it has an actual arrival date, otherwise ${open}`,
        from: 'actual_arrival_date',
        valueOf: (arrival) => (arrival === null ? open : 'Delivered'),
      })),
      otherWords: {
        'Awaiting Pickup': ['pending', 'scheduled', 'booked', 'assigned', 'dispatched', 'waiting', 'apu'],
        'Searching For Driver': ['open', 'unassigned', 'needdriver', 'needsdriver', 'nodriver', 'posted'],
        'Vehicle Not Ready': ['hold', 'onhold', 'notready', 'nr'],
        'In Transit': [
          'enroute',
          'enr',
          'transit',
          'otw',
          'ontheway',
          'loaded',
          'rolling',
          'pickedup',
          'shipped',
          'moving',
        ],
        Delivered: [
          'dlvd',
          'deld',
          'delv',
          'deliv',
          'dropped',
          'droppedoff',
          'complete',
          'completed',
          'done',
          'arrived',
          'closed',
        ],
      },
    }),
    textColumn('ra_number', 'up to 8 characters', transport.shape.ra_number, { identifier: 'number' }),
    dateColumn('estimated_arrival_date'),
    countColumn('mileage', transport.shape.mileage),
    wordColumn('move_type', MOVE_TYPES, 'OSL, Fleet, TA or Sales; Fleet when blank', { usual: 'Fleet' }),
    moneyColumn('estimated_cost', transport.shape.estimated_cost),
    moneyColumn('final_cost', transport.shape.final_cost),
    // If a delivered transport has no arrival date in the row or in the record, use the move date, but at most today.
    dateColumn('actual_arrival_date', {
      about: '%; if blank, a delivered row uses the move date',
      year: 'past',
      follows: {
        created: ({ cell, given, today }) =>
          `case when ${cell('status')} = 'Delivered'
            then coalesce(${given}, least(${cell('move_date')}, ${today}::date)) end`,
        updated: ({ given, today }) =>
          `case when x.n_status = 'Delivered' then coalesce(${given}, x.actual_arrival_date,
            least(x.move_date, ${today}::date)) end`,
      },
    }),
    flagColumn('issue_po'),
    textColumn('po_number', 'up to 50 characters', transport.shape.po_number, { identifier: 'number' }),
    textColumn('notes', 'any text', transport.shape.notes, { joins: true }),
    externalIdColumn,
  ],
  headings,
  suggestedHeadings,
  datedHeadings,
  split: {
    headings: ['route', 'lane', 'from to', 'origin destination', 'pickup drop off', 'pickup dropoff'],
    into: ['location_out', 'location_in'],
    parts: ['from', 'to'],
    read: readRoute,
  },
  derived: [],
  key: ['unit_number', 'move_date', 'location_out', 'location_in'],
  mileage: 'mileage',
  keepsUpdate(actor) {
    const oldCost = "(e.changes -> 'final_cost' ->> 'old')::numeric"
    return `e.changes ? 'final_cost' and ${isCostKept('e.entity_id', oldCost, actor)}`
  },
  // Do not compare the arrival date with a future move date. A vehicle can be delivered before its planned move date,
  // and an exported file with such a transport must be importable again.
  check: (dates: Parameters<typeof checkDates>[0], today) =>
    checkDates(dates.move_date > today ? { ...dates, actual_arrival_date: null } : dates, today),
  conflicts: [
    {
      note: 'Location in: location out and location in are the same',
      where: ({ cell }) => `${cell('location_in')} = ${cell('location_out')}`,
    },
    {
      note: 'Unit number: the unit already has an active transport',
      isAsked: true,
      where: ({ cell }) =>
        `${cell('status')} <> 'Delivered' and exists (select from transports o
          where o.unit_number = ${cell('unit_number')} and o.status <> 'Delivered')`,
    },
    {
      note: 'Status: the stored transport is Delivered; this row changes the status and clears the arrival date',
      outcome: 'update',
      where: ({ cell }) =>
        `${cell('status')} <> 'Delivered' and exists (select from transports o
          where o.unit_number = ${cell('unit_number')} and o.move_date = ${cell('move_date')}
          and o.location_out_id = ${cell('location_out')} and o.location_in_id = ${cell('location_in')}
          and o.status = 'Delivered')`,
    },
    {
      note: 'Unit number: the unit is out of service',
      where: ({ cell }) =>
        `${cell('status')} <> 'Delivered' and coalesce(${cell('move_type')}, 'Fleet') <> 'OSL'
          and exists (select from osl_entries o where o.unit_number = ${cell('unit_number')}
          and o.status <> 'Completed')`,
    },
    {
      note: 'Move type: the type is Sales, but the title of the unit is still pending',
      where: ({ cell }) =>
        `${cell('move_type')} = 'Sales' and exists (select from titles o where o.unit_number = ${cell('unit_number')}
          and o.transferred_date is null)`,
    },
    {
      note: 'Unit number: the registration of the unit expires before the move',
      where: ({ cell }) =>
        `(select max(o.date_expires) from registrations o where o.unit_number = ${cell('unit_number')}) <
          ${cell('move_date')}`,
    },
  ],
  isOpen: ({ status }) => status !== null && status !== 'Delivered',
  dayOf: { word: 'Delivered', field: 'actual_arrival_date' },
  hasBegun: ({ status }) => status === 'Delivered' || status === 'In Transit',
  warnings: ({ status, move_date, actual_arrival_date, estimated_arrival_date, estimated_cost, final_cost }, today) => [
    ...(Number(estimated_cost) > 0 && Number(final_cost) >= HIGH_FACTOR * Number(estimated_cost)
      ? [`Final cost: $${final_cost} is more than ${HIGH_FACTOR} times the estimate of $${estimated_cost}`]
      : []),
    ...(status && status !== 'Delivered' && actual_arrival_date
      ? ['Actual arrival: the date is not stored, because the status is not Delivered']
      : []),
    ...((status === 'Delivered' || status === 'In Transit') && move_date && move_date > today
      ? [`Move date: ${inWords(move_date)}${AFTER_TODAY}, but the status is ${status}`]
      : []),
    ...(move_date && isLongAgo(move_date, today)
      ? [`Move date: ${inWords(move_date)} is more than ${LONG_AGO_YEARS} years ago`]
      : []),
    ...(move_date && move_date > today && isFar(move_date, today)
      ? [`Move date: ${inWords(move_date)} is more than a year ahead`]
      : []),
    ...(actual_arrival_date && actual_arrival_date > today
      ? [`Actual arrival: ${inWords(actual_arrival_date)}${AFTER_TODAY}`]
      : []),
    ...(estimated_arrival_date && estimated_arrival_date > today && isFar(estimated_arrival_date, today)
      ? [`Estimated arrival: ${inWords(estimated_arrival_date)} is more than a year ahead`]
      : []),
  ],
  // An old move date is only a remark. As a warning, it would appear in each row of an import of past years.
  remarks: ({ status, move_date, actual_arrival_date }, today) => [
    ...(status === 'Delivered' && !actual_arrival_date
      ? [
          'Actual arrival: blank; a stored date stays. Otherwise, the import uses the move date, ' +
            'or today if the move date is in the future',
        ]
      : []),
    ...(move_date && move_date <= today && isFar(move_date, today) && !isLongAgo(move_date, today)
      ? [`Move date: ${inWords(move_date)} is more than a year ago`]
      : []),
  ],
  sample: ({ locations: [firstLocation, secondLocation], company }, today) => [
    {
      unit_number: '100201',
      location_out: firstLocation,
      location_in: secondLocation,
      move_date: addDays(today, -3),
      transport_company: company,
      status: 'In Transit',
      ra_number: 'RA10021',
      estimated_arrival_date: addDays(today, 1),
      mileage: 45210,
      move_type: 'Fleet',
      estimated_cost: 350,
    },
    {
      unit_number: '100202',
      location_out: secondLocation,
      location_in: firstLocation,
      move_date: addDays(today, -9),
      transport_company: company,
      status: 'Delivered',
      ra_number: 'RA10022',
      estimated_arrival_date: addDays(today, -7),
      mileage: 61877,
      move_type: 'Sales',
      estimated_cost: 420.5,
      final_cost: 431.25,
    },
    {
      unit_number: '100203',
      location_out: firstLocation,
      location_in: secondLocation,
      move_date: today,
      transport_company: company,
      status: 'Awaiting Pickup',
      move_type: 'OSL',
    },
  ],
}
