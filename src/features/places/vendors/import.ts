import {
  activeColumn,
  addressColumn,
  contactColumn,
  emailColumn,
  notesColumn,
  otherNamesColumn,
  phoneColumn,
} from '../import-columns'
import type { MasterImportColumn } from '../import-table'

export const vendorColumns: MasterImportColumn[] = [
  {
    field: 'vendor_name',
    about: 'up to 100 characters, unique',
    isRequired: true,
    also: [
      'vendor',
      'name',
      'supplier',
      'yard',
      'yard name',
      'company',
      'company name',
      'shop',
      'shop name',
      'business',
    ],
    sample: ['Axle Works Yard', 'Pima Towing'],
  },
  {
    field: 'vendor_type',
    about: 'up to 50 characters',
    also: ['type', 'kind', 'category'],
    sample: ['Repair Shop', 'Towing'],
  },
  otherNamesColumn,
  contactColumn,
  addressColumn,
  phoneColumn,
  emailColumn,
  {
    field: 'storage_daily_rate',
    about: 'an amount: 35 or $35.00',
    isAmount: true,
    also: ['rate', 'daily rate', 'storage rate', 'daily storage', 'storage per day'],
    sample: ['35.00', ''],
  },
  {
    field: 'storage_grace_days',
    about: 'a whole number; 0 when blank',
    read: (text) => text.replace(/\s*days?$/i, ''),
    also: ['grace', 'grace days', 'free days'],
    sample: ['3', ''],
  },
  notesColumn,
  activeColumn,
]
