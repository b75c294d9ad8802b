import { z } from 'zod'
import { AUDIT_ACTIONS, CHANGE_SOURCES, FILE_FORMATS } from '../../../db/vocabulary'
import {
  choiceAmong,
  choiceOr,
  idParams,
  optionalChoice,
  optionalDate,
  optionalIdFilter,
  optionalText,
} from '../fields'
import { kinds } from '../kinds'
import { listQuery } from '../lists/list-query'
import { entityOf, kindOf } from '../records/kind'
import { costsHidden } from '../refusals'

export const auditFilters = listQuery(['at'], 'at', 'desc').extend({
  entity: optionalText(40),
  entity_id: optionalIdFilter,
  actor: optionalText(50),
  action: optionalChoice(AUDIT_ACTIONS),
  source: optionalChoice(CHANGE_SOURCES),
  start_date: optionalDate,
  end_date: optionalDate,
})

export const auditExport = auditFilters.extend({ format: choiceOr(FILE_FORMATS, 'csv') })

/** @throws Forbidden when only users who can see costs can read the history, and this user cannot see costs */
export function checkMayReadHistory({ sees_costs }: { sees_costs: boolean }, entity: string) {
  if (!sees_costs && kindOf(entity)?.history === 'cost viewers') throw costsHidden()
}

const withHistory = () =>
  kinds('records')
    .filter(({ history }) => history !== undefined)
    .map(entityOf)

/**
 * Only tables with a history page are accepted. Changes of other tables appear only in the audit trail for
 * administrators.
 */
export const historyParams = idParams.extend({ entity: choiceAmong(withHistory, (entities) => z.enum(entities)) })
export const historyQuery = listQuery(['at'], 'at', 'desc')
