import { LOCATION_TYPES } from '../../../../db/vocabulary'
import { anyCase } from '../../../platform/imports/columns'
import { isShortExcelDate } from '../../../platform/reading/months'
import { activeColumn, addressColumn, otherNamesColumn, phoneColumn } from '../import-columns'
import type { MasterImportColumn } from '../import-table'

/**
 * Converts a type that begins with a listed type. For example, `Tow Yard` becomes Tow, and `dealership` becomes Dealer.
 */
function readType(text: string): unknown {
  const begins = LOCATION_TYPES.find((type) => text.trim().toLowerCase().startsWith(type.toLowerCase()))
  return begins ?? anyCase(LOCATION_TYPES)(text)
}

export const locationColumns: MasterImportColumn[] = [
  {
    field: 'location_code',
    about: 'a code of up to 20 characters, unique',
    // Refuse dates and TRUE or FALSE. Excel converts codes such as 5-MAY to these values.
    isRead: (value) => !/^(?:\d{4}-\d\d-\d\d|true|false)$/i.test(String(value)) && !isShortExcelDate(String(value)),
    isRequired: true,
    also: [
      'code',
      'short',
      'short code',
      'short name',
      'abbreviation',
      'abbrev',
      'abbr',
      'site code',
      'hub code',
      'yard code',
      'location number',
      'site number',
      'hub number',
      'yard number',
      'branch number',
      'branch code',
    ],
    sample: ['PHX', 'TUS'],
  },
  {
    field: 'location_name',
    about: 'up to 100 characters',
    isRequired: true,
    also: [
      'name',
      'location',
      'site',
      'site name',
      'hub',
      'hub name',
      'yard',
      'yard name',
      'lot',
      'lot name',
      'branch',
      'branch name',
    ],
    sample: ['Phoenix', 'Tucson'],
  },
  {
    field: 'location_type',
    about: LOCATION_TYPES.join(', '),
    isRequired: true,
    also: ['type', 'kind', 'site type', 'category'],
    read: readType,
    sample: ['Hub', 'Dealer'],
  },
  otherNamesColumn,
  addressColumn,
  phoneColumn,
  {
    field: 'contact_email',
    about: 'an e-mail address',
    also: ['email', 'mail', 'email address'],
    sample: ['phx@example.com', ''],
  },
  activeColumn,
]
