import { addDays } from '../../platform/clock'
import {
  dateColumn,
  externalIdColumn,
  type ImportKind,
  locationColumn,
  textColumn,
  unitColumn,
} from '../../platform/imports/kind'
import { inWords, isLongAgo, LONG_AGO_YEARS } from '../../platform/records/warnings'
import { title } from './rules'

export const titleImport: ImportKind = {
  dataType: 'titles',
  table: 'titles',
  columns: [
    unitColumn,
    locationColumn(),
    textColumn('dealer_name', 'up to 100 characters', title.shape.dealer_name),
    textColumn('dealer_contact', 'up to 100 characters', title.shape.dealer_contact),
    textColumn('notes', 'any text', title.shape.notes),
    dateColumn('submitted_date', {
      about: '%; today when blank',
      year: 'past',
      follows: {
        created: ({ given, today }) => `coalesce(${given}, ${today}::date)`,
        updated: ({ given }) => `coalesce(${given}, x.submitted_date)`,
      },
    }),
    externalIdColumn,
  ],
  headings: {
    dealer_name: ['dealer', 'buyer', 'dealership', 'sold to', 'auction'],
    dealer_contact: ['contact', 'dealer phone', 'contact name', 'dealer contact name'],
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
      'date',
    ],
  },
  finished: [
    'transferred',
    'transferred date',
    'date transferred',
    'title transferred',
    'transferred on',
    'title received',
    'transfer date',
    'received',
    'date received',
    'received date',
    'title in hand',
    'in hand',
    'title transferred on',
    'transferred complete',
    'dmv returned',
    'new title date',
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
  warnings: ({ submitted_date }, today) => [
    ...(submitted_date && submitted_date > today ? [`Submitted date: ${inWords(submitted_date)} is after today`] : []),
    ...(submitted_date && isLongAgo(submitted_date, today)
      ? [`Submitted date: ${inWords(submitted_date)} is more than ${LONG_AGO_YEARS} years ago`]
      : []),
  ],
  remarks: ({ submitted_date }) => (submitted_date ? [] : ['Submitted date: blank; a new title gets the current date']),
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
