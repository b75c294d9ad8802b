import { FUEL_LEVELS, type OslStatus } from '../../../db/vocabulary'
import { addDays, addMonths } from '../../platform/clock'
import {
  countColumn,
  externalIdColumn,
  type ImportKind,
  locationColumn,
  moneyColumn,
  required,
  requiredDateColumn,
  textColumn,
  unitColumn,
  wordColumn,
} from '../../platform/imports/kind'
import { isNegated } from '../../platform/imports/parse/read-field'
import { wordKey } from '../../platform/reading/text'
import { inWords, isFar } from '../../platform/records/warnings'
import { oslEntry } from './rules'

/** A daily rate above this amount, in dollars, is probably a monthly rate or a total. */
const HIGH_RATE = 150

/** Column headings for the date on which a tow yard or auction received the vehicle. */
const STORED = [
  'tow date',
  'towed date',
  'date towed',
  'impound date',
  'date received',
  'received date',
  'receiving date',
  'date in',
  'in date',
  'check in date',
  'checked in',
  'date checked in',
]

const FUEL_SPELLINGS: Record<string, string> = {
  f: 'Full',
  '4/4': 'Full',
  '8/8': 'Full',
  '6/8': '3/4',
  '2/4': '1/2',
  '4/8': '1/2',
  '2/8': '1/4',
  '1': 'Full',
  '100%': 'Full',
  '¾': '3/4',
  '4-mar': '3/4',
  '75%': '3/4',
  '0.75': '3/4',
  '.75': '3/4',
  '½': '1/2',
  '2-jan': '1/2',
  half: '1/2',
  '50%': '1/2',
  '0.5': '1/2',
  '.5': '1/2',
  '¼': '1/4',
  '4-jan': '1/4',
  '25%': '1/4',
  '0.25': '1/4',
  '.25': '1/4',
  e: 'Empty',
  '0%': 'Empty',
}
/**
 * Converts a spelling of a fuel level to a listed fuel level, for example `50%` to `1/2`.
 * Also converts `0.5` and `2-Jan`, because Excel stores 1/2 as a number or a date.
 */
const readFuel = (text: string) => {
  const bare = text.trim().replace(/ tank$/i, '')
  return FUEL_SPELLINGS[bare.toLowerCase()] ?? bare
}

/** If the OSL date of an open entry is more than this many years ago, it is probably a typing mistake. */
const LONG_STAY_YEARS = 3

/** Splits text such as `101544 - brake warning light stays on` into a unit number and a problem. */
function readUnitAndProblem(text: string): [string, string] {
  const [, unit, problem] = /^((?:unit\s*)?#?\s*\d{6})(?!\d)[\s:;,.–—-]+(.+)$/i.exec(text) ?? []
  return unit && problem ? [unit, problem] : [text, '']
}

const OPEN_STATUSES = ['Out of Service', 'Awaiting Parts', 'In Repair', 'Ready'] as const satisfies OslStatus[]

/**
 * Patterns for converting a status in a file to an open status, such as `back order` to Awaiting Parts.
 * The first pattern that matches applies.
 */
const STATUS_PATTERNS: [RegExp, (typeof OPEN_STATUSES)[number]][] = [
  [/\bparts?\b|back.?order/i, 'Awaiting Parts'],
  [/\b(?:repair|repairing|shop|mechanic|body shop|in (?:progress|process)|wip|work(?:ing)?)\b/i, 'In Repair'],
  [/^(?:down|oos|open|active|pending|in (?:yard|lot)|(?:not|still|waiting)\b.*)$/i, 'Out of Service'],
]

/** Matches a status of a finished entry, such as `Released` or `Back in service`. */
const FINISHED_STATUS = new RegExp(
  [
    "complete|\\bcomp\\b|\\bdone\\b|released|\\br(?:el|ls)'?d\\b|closed|\\bret'?d\\b|\\brt[rs]\\b|fixed|repaired",
    'returned(?! to (?:the )?(?:\\w+ )?(?:vendor|shop|dealer))',
    'back on (?:the )?road|\\bon the road|sold|auctioned|rented|available|ready to rent|picked up|\\bp/u\\b|on rent',
    '(?<!not )\\b(?:in|back in) (?:service|svc|fleet)|\\brfs\\b|rent ready|^total(?:ed| loss)|\\bdonated|^up \\d',
  ].join('|'),
  'i',
)

/**
 * Converts a status to an open status of an entry, such as `Waiting on parts` to Awaiting Parts. Returns an empty text
 * for a finished or unknown status. The importer then adds a note to the row.
 */
function readStatus(text: string): string {
  const own = OPEN_STATUSES.find((status) => wordKey(status) === wordKey(text))
  if (own) return own
  if (/^ready\b(?! to rent)/i.test(text)) return 'Ready'
  if (FINISHED_STATUS.test(text) && !isNegated(text)) return ''
  return STATUS_PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? ''
}

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
  ],
  headings: {
    osl_date: [
      'date',
      'out of service date',
      'out since',
      'date out',
      'out date',
      'since',
      'down date',
      'down since',
      'date down',
      'oos date',
      'date oos',
      'broke down',
      'broke down on',
      'date broke down',
      'went down',
      'down on',
      'oos since',
      'out of service since',
      ...STORED,
    ],
    problem: [
      'issue',
      'reason',
      'fault',
      'defect',
      'problem description',
      'description',
      'what is wrong',
      'reason for tow',
      'tow reason',
      'complaint',
      'description of problem',
      'repair needed',
      'repairs needed',
      'work needed',
      'reason down',
      'reason oos',
      'oos reason',
      'why down',
      'reason out of service',
      'reason for osl',
      'concern',
      'symptom',
      'symptoms',
      'issues',
      'problems',
    ],
    osl_mileage: [
      'mileage',
      'miles',
      'odometer',
      'odo',
      'current mileage',
      'odometer reading',
      'meter',
      'meter reading',
    ],
    key_location: ['keys', 'key', 'keys at', 'where keys are', 'where are keys', 'key hook', 'key tag', 'key box'],
    contact_phone: ['phone', 'contact', 'phone number', 'contact number', 'cell', 'cell phone', 'call'],
    fuel_level: ['fuel', 'gas', 'tank'],
    notes: ['latest', 'update', 'progress', 'follow up'],
    status: ['current status', 'unit status', 'vehicle status', 'repair status', 'osl status'],
    storage_fee_daily_rate: [
      'rate',
      'daily rate',
      'storage rate',
      'daily fee',
      'fee per day',
      'rate day',
      'rate per day',
      'storage per day',
      'storage day',
      'daily storage',
      'daily storage rate',
      'daily storage fee',
      'per diem',
      'daily',
      'storage cost',
    ],
  },
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
      where: ({ cell }) =>
        `exists (select from osl_entries o where o.unit_number = ${cell('unit_number')} and o.status <> 'Completed')`,
    },
  ],
  isOpen: () => true,
  warnings: ({ osl_date, storage_fee_daily_rate }, today) => [
    ...(osl_date && osl_date > today ? [`OSL date: ${inWords(osl_date)} is after today`] : []),
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
