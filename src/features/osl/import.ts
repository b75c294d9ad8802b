import { FUEL_LEVELS } from '../../../db/vocabulary'
import { addDays, addMonths } from '../../platform/clock'
import {
  countColumn,
  dateColumn,
  externalIdColumn,
  locationColumn,
  moneyColumn,
  required,
  requiredDateColumn,
  textColumn,
  unitColumn,
  wordColumn,
} from '../../platform/imports/columns'
import { AFTER_TODAY, type ImportKind } from '../../platform/imports/kind'
import { inWords, isFar } from '../../platform/records/warnings'
import { headings, VENDOR_HEADINGS } from './import-headings'
import { FINISHED_STATUS, OPEN_STATUSES, readFuel, readStatus, readUnitAndProblem } from './import-values'
import { oslEntry } from './rules'

/** Limit in dollars. A higher daily rate is probably a monthly rate or a total. */
const HIGH_RATE = 150

/** Maximum plausible age of an open entry's OSL date. An older date is probably a typing mistake. */
const LONG_STAY_YEARS = 3

export const oslImport: ImportKind = {
  dataType: 'osl',
  table: 'osl_entries',
  columns: [
    unitColumn,
    requiredDateColumn('osl_date'),
    locationColumn(),
    required(textColumn('problem', 'at least 10 characters', oslEntry.shape.problem, { prefix: 'Problem: ' })),
    textColumn('ra_number', 'up to 8 characters', oslEntry.shape.ra_number, { identifier: 'number' }),
    countColumn('osl_mileage', oslEntry.shape.osl_mileage),
    textColumn('key_location', 'where the keys are', oslEntry.shape.key_location),
    textColumn('contact_phone', 'up to 20 characters', oslEntry.shape.contact_phone, { identifier: 'phone' }),
    { ...wordColumn('fuel_level', FUEL_LEVELS, 'Full, 3/4, 1/2, 1/4 or Empty'), cleans: readFuel },
    moneyColumn('storage_fee_daily_rate', oslEntry.shape.storage_fee_daily_rate, {
      about: '%; turns on storage fees',
    }),
    textColumn('notes', 'any text', oslEntry.shape.notes, { joins: true }),
    externalIdColumn,
    {
      ...wordColumn('status', OPEN_STATUSES, 'Out of Service, Awaiting Parts, In Repair or Ready', {
        isTitle: true,
        // Keep the status of a completed entry, because an import must not reopen it.
        follows: {
          created: ({ given }) => `coalesce(${given}, 'Out of Service')`,
          updated: ({ given }) =>
            `case when x.status = 'Completed' then x.status else coalesce(${given}, x.status) end`,
        },
      }),
      cleans: readStatus,
    },
    textColumn('po_number', 'up to 50 characters', oslEntry.shape.po_number, { identifier: 'number' }),
    countColumn('storage_grace_days', oslEntry.shape.storage_grace_days, {
      about: 'days before storage fees begin',
      follows: {
        created: ({ given }) => `coalesce(${given}, 0)`,
        updated: ({ given }) => `coalesce(${given}, x.storage_grace_days)`,
      },
    }),
    dateColumn('expected_return'),
    textColumn('next_action', 'up to 255 characters', oslEntry.shape.next_action),
  ],
  headings,
  split: {
    headings: ['unit', 'unit number', 'vehicle'].flatMap((unit) =>
      ['problem', 'issue', 'reason', 'description'].flatMap((problem) => [
        `${unit} ${problem}`,
        `${unit} and ${problem}`,
      ]),
    ),
    into: ['unit_number', 'problem'],
    parts: ['unit', 'problem'],
    read: readUnitAndProblem,
  },
  begins: 'osl_date',
  // The import cannot assign vendors, because a misspelled name could add a vendor's storage terms to an entry.
  suggestedHeadings: Object.fromEntries(VENDOR_HEADINGS.map((heading) => [heading, 'notes'])),
  datedHeadings: { down: 'osl_date', 'out of service': 'osl_date', oos: 'osl_date' },
  finishedStatus: FINISHED_STATUS,
  finished: [
    'up',
    'out',
    'back',
    'back on',
    'back in',
    'back up',
    'back on road',
    'back on rent',
    'back in fleet',
    'back to fleet',
    'back in service',
    'back to service',
    'in service',
    'return',
    'returned',
    'return to service',
    'returned to service',
    'rts',
    'release',
    'released',
    'rel',
    'date in',
    'in date',
    'date out',
    'out date',
    'picked up',
    'pickup date',
    'completion',
    'ready date',
    'left yard',
    'out of yard',
    'repaired',
    'fixed',
    'cleared',
    'resolved',
    'online',
    'check out date',
    'available',
    'end date',
    'disposition',
  ],
  denied: {
    headings: [
      'storage',
      'storage fee',
      'storage fees',
      'storage fee applies',
      'storage fees apply',
      'storage fees applicable',
      'storage charged',
      'charge storage',
    ],
    field: 'storage_fee_daily_rate',
  },
  derived: [
    {
      column: 'storage_fees_applicable',
      kind: 'flag',
      created: ({ cell }) => `coalesce(${cell('storage_fee_daily_rate')}, 0) > 0`,
      updated: ({ cell }) => `x.storage_fees_applicable or coalesce(${cell('storage_fee_daily_rate')}, 0) > 0`,
    },
    { column: 'fleet_registration_mailed', kind: 'flag', created: () => 'false' },
  ],
  key: ['unit_number', 'osl_date'],
  notes: { table: 'osl_notes', column: 'osl_id' },
  mileage: 'osl_mileage',
  conflicts: [
    {
      note: 'Unit number: the unit is already out of service',
      isAsked: true,
      where: ({ cell }) =>
        `exists (select from osl_entries o where o.unit_number = ${cell('unit_number')} and o.status <> 'Completed')`,
    },
  ],
  isOpen: () => true,
  hasBegun: () => true,
  warnings: ({ osl_date, storage_fee_daily_rate }, today) => [
    ...(osl_date && osl_date > today ? [`OSL date: ${inWords(osl_date)}${AFTER_TODAY}`] : []),
    ...(osl_date && osl_date < addMonths(today, -12 * LONG_STAY_YEARS)
      ? [`OSL date: ${inWords(osl_date)} is more than ${LONG_STAY_YEARS} years ago, but the entry is open`]
      : []),
    ...(Number(storage_fee_daily_rate) > HIGH_RATE
      ? [`Storage fee daily rate: $${storage_fee_daily_rate} a day is high; it may be a monthly rate or a total`]
      : []),
  ],
  remarks: ({ osl_date }, today) =>
    osl_date && osl_date <= today && isFar(osl_date, today)
      ? [`OSL date: ${inWords(osl_date)} is more than a year ago`]
      : [],
  sample: ({ locations: [firstLocation, secondLocation] }, today) => [
    {
      unit_number: '100301',
      osl_date: addDays(today, -12),
      location: firstLocation,
      problem: 'Transmission slips in third gear',
      osl_mileage: 88210,
      key_location: 'Front office',
      contact_phone: '602-555-0142',
      fuel_level: '1/2',
      storage_fee_daily_rate: 35,
    },
    {
      unit_number: '100302',
      osl_date: addDays(today, -2),
      location: secondLocation,
      problem: 'Windshield cracked on the driver side',
      fuel_level: 'Full',
    },
  ],
}
