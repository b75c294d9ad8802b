import { z } from 'zod'
import { externalId, NOTES_LIMIT, optionalEmail, optionalText, requiredText, yesNo } from '../../../platform/fields'
import { activeFilter } from '../../../platform/lists/active-filter'
import { recordQuery } from '../../../platform/lists/list-query'
import { otherNames } from '../../../platform/records/master-data/other-names'

export const transportCompany = z.object({
  company_name: requiredText('Company name is required', 100),
  other_names: otherNames,
  contact_person: optionalText(100),
  phone: optionalText(20),
  email: optionalEmail(100),
  notes: optionalText(NOTES_LIMIT),
  external_id: externalId,
  is_active: yesNo(true),
})

export const transportCompanyFilters = recordQuery(
  ['company_name', 'contact_person', 'created_at'],
  'company_name',
).extend({
  type: z.null().default(null).catch(null),
  is_active: activeFilter,
})
