import { externalIdColumn, type ImportKind, locationColumn, textColumn, unitColumn } from '../../platform/imports/kind'
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
    externalIdColumn,
  ],
  headings: {
    dealer_name: ['dealer', 'buyer', 'dealership', 'sold to', 'auction'],
    dealer_contact: ['contact', 'dealer phone', 'contact name', 'dealer contact name'],
  },
  derived: [{ column: 'submitted_date', kind: 'date', created: ({ today }) => `${today}::date` }],
  key: ['unit_number'],
  only: { sql: 't.transferred_date is null', message: 'This unit already has a pending title' },
  notes: { table: 'title_notes', column: 'title_id' },
  sample: ({ locations: [firstLocation, secondLocation] }) => [
    {
      unit_number: '100501',
      location: firstLocation,
      dealer_name: 'Valley Truck Sales',
      dealer_contact: 'Dana Ortiz',
      notes: 'Waiting for the lien release',
    },
    { unit_number: '100502', location: secondLocation, dealer_name: 'Mesa RV Center' },
  ],
}
