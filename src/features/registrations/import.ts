import { REGISTRATION_TYPES } from '../../../db/vocabulary'
import { addDays, addMonths } from '../../platform/clock'
import {
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
import { plateKeySql } from '../../platform/reading/numbers'
import { isRegion, REGION_NAMES, readPlateAndState, readRegion, unknownRegion } from '../../platform/reading/regions'
import { inWords, isLongAgo, LONG_AGO_YEARS } from '../../platform/records/warnings'
import { checkDates, registration } from './rules'

/** Maximum plausible number of years until the expiry date. A later expiry date is probably a typing mistake. */
const FAR_YEARS = 10

const TYPES = 'New, Renewal, Transfer Plate or Replacement; Renewal when blank'

const EXPIRIES = [
  'expires',
  'expiration',
  'expiry',
  'registration expires',
  'registration expiration',
  'tag expires',
  'plate expires',
  'sticker expires',
]

/** Patterns that convert the type of a transaction to a registration type. For example, `Rnwl` becomes Renewal. */
const TYPE_PATTERNS: [RegExp, (typeof REGISTRATION_TYPES)[number]][] = [
  [/\b(?:xfer|tfr|trf|transf?(?:er(?:red)?)?)\b/i, 'Transfer Plate'],
  [/^(?:dup(?:licate|l)?|repl(?:acement|aced?)?|lost|damaged)\b/i, 'Replacement'],
  [/^(?:re-?new(?:al|ed)?|rnwl?|rnw|ren|annual)\b/i, 'Renewal'],
  [/^(?:new|orig(?:inal)?|initial|first)\b/i, 'New'],
]
const readType = (text: string): string => TYPE_PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? text

const RECEIVED = /^(?:received|rec'?d|in hand|done|completed?|on (?:truck|vehicle|unit)|installed)\b/i
const NOT_RECEIVED = /^(?:not\b|pending|ordered|waiting|open)/i

/** Converts text in a column such as `Received` to Yes or No. A date means Yes. */
function readReceived(text: string): string {
  if (NOT_RECEIVED.test(text)) return 'No'
  return RECEIVED.test(text) || /^\d{1,4}[/-]\d{1,2}(?:[/-]\d{1,4})?$/.test(text) ? 'Yes' : text
}

/** Words for the papers of a registration, in headings such as `Paperwork In`. */
const PAPERS = ['registration', 'papers', 'paperwork', 'documents', 'docs', 'card', 'sticker', 'decal', 'tag', 'tags']

export const registrationImport: ImportKind = {
  dataType: 'registrations',
  table: 'registrations',
  columns: [
    unitColumn,
    locationColumn(),
    required(
      textColumn('plate_number', 'up to 20 characters', registration.shape.plate_number, { identifier: 'plate' }),
    ),
    required({
      ...textColumn('state_province', '2 letters or the full name', registration.shape.state_province),
      kind: 'word',
      cleans: readRegion,
      suggests: REGION_NAMES,
    }),
    requiredDateColumn('date_issued', {
      year: 'past',
      rowDefaults: [
        {
          label: 'One year before it expires',
          from: 'date_expires',
          valueOf: (expiry) => expiry && addMonths(expiry, -12),
        },
      ],
    }),
    requiredDateColumn('date_expires', { year: 'ahead' }),
    { ...wordColumn('registration_type', REGISTRATION_TYPES, TYPES, { usual: 'Renewal' }), cleans: readType },
    moneyColumn('cost', registration.shape.cost),
    moneyColumn('vlt', registration.shape.vlt, { about: 'vehicle license tax, %' }),
    textColumn('notes', 'any text', registration.shape.notes, { joins: true }),
    externalIdColumn,
    { ...flagColumn('received'), cleans: readReceived },
  ],
  headings: {
    plate_number: [
      'plate',
      'license plate',
      'licence plate',
      'license plate number',
      'license',
      'license number',
      'tag',
      'tag number',
      'registration plate',
      'registration number',
      'vehicle registration',
      'license tag',
    ],
    state_province: [
      'state',
      'st',
      'province',
      'state or province',
      'plate state',
      'tag state',
      'tag st',
      'plate st',
      'license plate state',
      'registration state',
      'jurisdiction',
      'issuing state',
      'state registered',
      'registered state',
    ],
    date_issued: [
      'issued',
      'registration issued',
      'tag issued',
      'plate issued',
      'issue date',
      'issued on',
      'start date',
      'valid from',
      'registration valid date',
      'last renewed',
      'renewed on',
      'date renewed',
      'registration date',
      'date registered',
      'effective',
      'effective date',
    ],
    date_expires: [
      ...EXPIRIES,
      'expiration date',
      'expiry date',
      'expires date',
      'valid until',
      'valid thru',
      'valid through',
      'valid to',
      'good thru',
      'good through',
      'good until',
      'renew by',
      'expires on',
      'registration expiration date',
      'end date',
      'registration period',
      'reg period',
      'registration dates',
      'registration valid',
      'expires mo yr',
      'expires month year',
      ...EXPIRIES.flatMap((expiry) =>
        ['month and year', 'mo and year', 'mmyy', 'mmyyyy', 'mm yy', 'mm yyyy'].map((part) => `${expiry} ${part}`),
      ),
    ],
    registration_type: [
      'type',
      'kind',
      'category',
      'transaction',
      'transaction type',
      'txn',
      'txn type',
      'type of registration',
      'kind of registration',
    ],
    received: [
      ...PAPERS.map((papers) => `${papers} received`),
      'received date',
      'date received',
      'received on',
      'recd',
      'rec d',
      'in hand',
    ],
    cost: ['fee', 'registration cost', 'registration fee', 'tag cost', 'tag fee', 'amount paid', 'fee paid', 'price'],
    vlt: [
      'vehicle license tax',
      'vehicle licence tax',
      'license tax',
      'tax',
      'vlt amount',
      'vlt paid',
      'vlt fee',
      'vlt cost',
    ],
  },
  suggestedHeadings: {
    amount: 'cost',
    total: 'cost',
    paid: 'cost',
    'total paid': 'cost',
    ...Object.fromEntries(
      PAPERS.flatMap((papers) => ['in', 'in hand', 'here', 'back'].map((place) => [`${papers} ${place}`, 'received'])),
    ),
  },
  split: {
    headings: ['plate', 'plate number', 'license plate', 'license', 'tag', 'tag number'].flatMap((plate) => [
      `${plate} state`,
      `${plate} and state`,
      `${plate} st`,
      `state ${plate}`,
    ]),
    into: ['plate_number', 'state_province'],
    parts: ['plate', 'state'],
    read: readPlateAndState,
  },
  finished: ['renewed', 'tags', 'sticker'],
  finishedStatus: /^(?:completed?|done|received|rec'?d|renewed|surrendered|in hand)\b/i,
  derived: [
    {
      column: 'status',
      kind: 'word',
      created: ({ cell, today }) =>
        `case when not coalesce(${cell('received')}, false) then 'Pending'
          when ${cell('date_expires')} < ${today}::date then 'Expired' else 'Complete' end`,
      // If an import changes the expiry date or the received flag, set the status by the same rules as a change in the
      // form.
      updated: ({ today }) =>
        `case when x.n_date_expires = x.date_expires and x.n_received = x.received then x.status
          when not x.n_received then 'Pending'
          when x.n_date_expires < ${today}::date then 'Expired' else 'Complete' end`,
    },
  ],
  key: ['unit_number', 'plate_number', 'state_province', 'date_issued'],
  conflicts: [
    {
      note: 'Plate number: another unit has a current registration with this plate',
      where: ({ cell, today }) =>
        // Compare at most 100 records of a plate. A file can have thousands of rows with one plate, and comparing each
        // row with each of them would take minutes.
        `exists (select from (
            select * from registrations g where ${plateKeySql('g.plate_number')} = ${plateKeySql(cell('plate_number'))}
            limit 100) o
          where o.state_province = ${cell('state_province')} and o.unit_number <> ${cell('unit_number')}
          and o.date_expires >= ${today}::date)`,
    },
  ],
  check: checkDates,
  warnings: ({ plate_number, state_province, date_issued, date_expires }, today) => [
    ...(plate_number &&
    state_province &&
    [
      plate_number.toUpperCase().endsWith(` ${state_province}`),
      plate_number.toUpperCase().startsWith(`${state_province} `),
    ].includes(true)
      ? [`Plate number: ${plate_number} contains the state`]
      : []),
    ...(date_issued && date_issued > today ? [`Date issued: ${inWords(date_issued)}${AFTER_TODAY}`] : []),
    ...(date_issued && isLongAgo(date_issued, today)
      ? [`Date issued: ${inWords(date_issued)} is more than ${LONG_AGO_YEARS} years ago`]
      : []),
    ...(date_issued && date_expires && date_expires < addMonths(date_issued, 1)
      ? [`Date expires: ${inWords(date_expires)} is less than a month after the issue date ${inWords(date_issued)}`]
      : []),
    ...(date_issued && date_expires && date_expires > addMonths(date_issued, 12 * FAR_YEARS)
      ? [`Date expires: ${inWords(date_expires)} is more than ${FAR_YEARS} years after the issue date`]
      : []),
    ...(state_province && !isRegion(state_province) ? [`State or province: ${unknownRegion(state_province)}`] : []),
    ...(date_expires && date_expires > addMonths(today, 12 * FAR_YEARS)
      ? [`Date expires: ${inWords(date_expires)} is more than ${FAR_YEARS} years ahead`]
      : []),
  ],
  sample: ({ locations: [firstLocation, secondLocation] }, today) => [
    {
      unit_number: '100401',
      location: firstLocation,
      plate_number: 'CDA4821',
      state_province: 'AZ',
      date_issued: addDays(today, -300),
      date_expires: addDays(today, 65),
      registration_type: 'Renewal',
      cost: 108.5,
      vlt: 212.4,
    },
    {
      unit_number: '100402',
      location: secondLocation,
      plate_number: 'BKE1190',
      state_province: 'AZ',
      date_issued: today,
      date_expires: addDays(today, 365),
      registration_type: 'New',
      cost: 132,
    },
  ],
}
