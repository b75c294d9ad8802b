import { activeColumn, contactColumn, emailColumn, notesColumn, otherNamesColumn, phoneColumn } from '../import-columns'
import type { MasterImportColumn } from '../import-table'

export const transportCompanyColumns: MasterImportColumn[] = [
  {
    field: 'company_name',
    about: 'up to 100 characters, unique',
    isRequired: true,
    also: ['company', 'name', 'carrier', 'carrier name', 'hauler', 'transporter', 'transport company', 'tow company'],
    sample: ['Desert Auto Haul', 'Mogollon Movers'],
  },
  otherNamesColumn,
  contactColumn,
  phoneColumn,
  emailColumn,
  notesColumn,
  activeColumn,
]
