import { AUDIT_ACTIONS, CHANGE_SOURCES } from '../../db/vocabulary'
import { listQuery, optionalChoice, optionalDate, optionalIdFilter, optionalText } from '../fields'

export const auditFilters = listQuery(['at'], 'at', 'desc').extend({
  entity: optionalText(40),
  entity_id: optionalIdFilter,
  actor: optionalText(50),
  action: optionalChoice(AUDIT_ACTIONS),
  source: optionalChoice(CHANGE_SOURCES),
  start_date: optionalDate,
  end_date: optionalDate,
})
