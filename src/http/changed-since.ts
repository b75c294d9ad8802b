import type { FormState } from '../../views/ui/fields'

const STAMPS = new Set(['id', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by', 'password_hash'])
const asText = (value: unknown) => (value === null || value === undefined ? '' : value instanceof Date ? value.toISOString() : String(value))
const asLabel = (field: string) => field.replace(/_id$/, '').replaceAll('_', ' ')

/**
 * For a stale edit: what is stored now wherever it differs from what was typed, and the stored version, so that saving
 * again is a choice made knowingly.
 */
export function changedSince(current: Record<string, unknown>, typed: Record<string, unknown>): Pick<FormState, 'changedSince' | 'values'> {
  const differing = Object.keys(current).filter((field) => !STAMPS.has(field) && field in typed && asText(current[field]) !== asText(typed[field]))
  return {
    values: { ...typed, version: current.version },
    changedSince: [
      { label: 'changed by', value: asText(current.updated_by) || 'someone' },
      ...differing.map((field) => ({ label: asLabel(field), value: asText(current[field]) || '(empty)' })),
    ],
  }
}
