import { addDays } from '../../platform/clock'
import { dateColumn, externalIdColumn, locationColumn, textColumn, unitColumn } from '../../platform/imports/columns'
import { AFTER_TODAY, type ImportKind } from '../../platform/imports/kind'
import { inWords, isLongAgo, LONG_AGO_YEARS } from '../../platform/records/warnings'
import { title } from './rules'

/** Headings of a column that shows which new titles have arrived. */
const RECEIVED = [
  'received',
  'title received',
  'received from dmv',
  'in hand',
  'title in hand',
  'back',
  'title back',
  'back from dmv',
  'returned',
  'title returned',
  'dmv returned',
  'returned from dmv',
  'new title date',
]

export const titleImport: ImportKind = {
  dataType: 'titles',
  table: 'titles',
  columns: [
    unitColumn,
    locationColumn(),
    textColumn('dealer_name', 'up to 100 characters', title.shape.dealer_name),
    textColumn('dealer_contact', 'up to 100 characters', title.shape.dealer_contact),
    textColumn('notes', 'any text', title.shape.notes, { joins: true }),
    dateColumn('submitted_date', {
      about: '%; today when blank',
      year: 'past',
      follows: {
        created: ({ given, today }) => `coalesce(${given}, ${today}::date)`,
        updated: ({ given }) => `coalesce(${given}, x.submitted_date)`,
      },
    }),
    externalIdColumn,
    dateColumn('received_on', { about: '%; when the new title arrived', year: 'past' }),
  ],
  headings: {
    dealer_name: ['dealer', 'buyer', 'dealership', 'sold to', 'auction', 'bought from', 'purchased from'],
    dealer_contact: [
      'contact',
      'dealer phone',
      'contact name',
      'dealer contact name',
      'contact person',
      'dealer rep',
      'sales rep',
      'salesman',
      'attn',
      'spoke to',
      'phone',
      'phone number',
    ],
    submitted_date: [
      'submitted',
      'date submitted',
      'submission date',
      'submit date',
      'title submitted',
      'submitted on',
      'sent',
      'date sent',
      'sent date',
      'sent on',
      'title sent',
      'mailed',
      'date mailed',
      'mailed date',
      'mailed on',
      'sent to dmv',
      'date sent to dmv',
      'mailed to dmv',
      'submitted to dmv',
      'paperwork sent',
      'date filed',
      'filed on',
      'date requested',
      'requested on',
      'date turned in',
      'turned in on',
      'date',
    ],
  },
  // Without dates, such a column only shows that the title is finished (see `finished`).
  datedHeadings: {
    filed: 'submitted_date',
    requested: 'submitted_date',
    'turned in': 'submitted_date',
    ...Object.fromEntries(RECEIVED.map((heading) => [heading, 'received_on'])),
  },
  suggestedHeadings: { seller: 'dealer_name', store: 'dealer_name', rep: 'dealer_contact' },
  finished: [
    'transferred',
    'title transferred',
    'transferred complete',
    'transfer',
    'trans',
    'xfer',
    'xferred',
    'date of transfer',
    ...RECEIVED,
  ],
  finishedStatus: new RegExp(
    [
      "transfer|xfer|\\bcompleted?\\b|\\bdone\\b|received|\\brec'?d\\b|closed|in hand|\\bmailed [\\d/-]+$",
      '\\bmailed to (?:buyer|dealer|owner)|^(?:sent|delivered) to (?:the )?(?:buyer|dealer|owner)',
    ].join('|'),
    'i',
  ),
  derived: [],
  key: ['unit_number'],
  only: { sql: 't.transferred_date is null', message: 'This unit already has a pending title' },
  notes: { table: 'title_notes', column: 'title_id' },
  warnings: ({ submitted_date, received_on }, today) => [
    ...(received_on && received_on > today ? [`Received on: ${inWords(received_on)}${AFTER_TODAY}`] : []),
    ...(received_on && submitted_date && received_on < submitted_date
      ? [`Received on: ${inWords(received_on)} is before the submission on ${inWords(submitted_date)}`]
      : []),
    ...(submitted_date && submitted_date > today ? [`Submitted date: ${inWords(submitted_date)}${AFTER_TODAY}`] : []),
    ...(submitted_date && isLongAgo(submitted_date, today)
      ? [`Submitted date: ${inWords(submitted_date)} is more than ${LONG_AGO_YEARS} years ago`]
      : []),
  ],
  remarks: ({ submitted_date }) => (submitted_date ? [] : ['Submitted date: blank; a new title gets today’s date']),
  sample: ({ locations: [firstLocation, secondLocation] }, today) => [
    {
      unit_number: '100501',
      location: firstLocation,
      dealer_name: 'Valley Truck Sales',
      dealer_contact: 'Dana Ortiz',
      submitted_date: addDays(today, -6),
      notes: 'Waiting for the lien release',
    },
    { unit_number: '100502', location: secondLocation, dealer_name: 'Mesa RV Center' },
  ],
}
