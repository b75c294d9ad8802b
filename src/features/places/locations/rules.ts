import { z } from 'zod'
import { LOCATION_TYPES } from '../../../../db/vocabulary'
import {
  choice,
  enteredText,
  externalId,
  optionalChoice,
  optionalEmail,
  optionalText,
  requiredText,
  yesNo,
} from '../../../platform/fields'
import { activeFilter } from '../../../platform/lists/active-filter'
import { recordQuery } from '../../../platform/lists/list-query'
import { otherNames } from '../../../platform/records/master-data/other-names'

export const location = z.object({
  location_code: requiredText('Location code is required', 20),
  // Do not clean up spaces and characters of the name here, because `refuseLookalike` needs the name as the user
  // entered it. Two locations can have exactly the same name, but not names such as `O'Hare` and `O’Hare` that only
  // look the same.
  location_name: enteredText('Location name is required', 100),
  other_names: otherNames,
  location_type: choice(LOCATION_TYPES, 'Location type is required'),
  address: optionalText(255),
  phone: optionalText(20),
  contact_email: optionalEmail(100),
  external_id: externalId,
  is_active: yesNo(true),
})

export const locationFilters = recordQuery(
  ['location_code', 'location_name', 'location_type', 'created_at'],
  'location_name',
).extend({
  type: optionalChoice(LOCATION_TYPES),
  is_active: activeFilter,
})
