import { readYesNo } from '../../platform/imports/columns'
import type { MasterImportColumn } from './import-table'

export const otherNamesColumn: MasterImportColumn = {
  field: 'other_names',
  about: 'aliases, separated by semicolons',
  also: ['aliases', 'aka', 'also called', 'also known as'],
  read: (text) => text.split(';'),
  sample: ['', ''],
}
const STATUS = /^(?:active|open|inactive|closed|disabled)$/i

export const activeColumn: MasterImportColumn = {
  field: 'is_active',
  about: 'Yes or No; a blank cell means Yes',
  also: ['active', 'status'],
  read: (text) => (STATUS.test(text) ? /^[ao]/i.test(text) : readYesNo(text)),
  isRead: (value) => typeof value === 'boolean',
  unticked: false,
  sample: ['Yes', ''],
}
export const phoneColumn: MasterImportColumn = {
  field: 'phone',
  about: 'up to 20 characters',
  also: ['tel', 'telephone', 'phone number', 'phone no', 'cell', 'mobile', 'main phone', 'office phone', 'ph'],
  sample: ['602-555-0114', ''],
}
export const contactColumn: MasterImportColumn = {
  field: 'contact_person',
  about: 'up to 100 characters',
  also: ['contact', 'contact name', 'attention', 'attn', 'dispatcher'],
  sample: ['Dana Ortiz', ''],
}
export const emailColumn: MasterImportColumn = {
  field: 'email',
  about: 'an e-mail address',
  also: ['mail', 'email address', 'contact email', 'main email'],
  sample: ['desk@example.com', ''],
}
export const notesColumn: MasterImportColumn = {
  field: 'notes',
  about: 'any text',
  also: ['note', 'comments', 'remarks'],
  sample: ['', ''],
}
export const addressColumn: MasterImportColumn = {
  field: 'address',
  about: 'up to 255 characters',
  also: ['street', 'street address', 'location address', 'mailing address', 'remit address'],
  sample: ['4100 E Washington St, Phoenix', ''],
}
