import type { UnitSummary } from '../../src/features/vehicles/unit-summary'
import { paths } from '../../src/platform/paths'
import { showDate } from '../format'

export function UnitSummaryLines({ summary, today }: { summary: UnitSummary; today: string }) {
  const { unit_number, is_known, model_year, current_status, current_location, current_location_id } = summary
  const { open_transport, open_osl, registered_until, has_pending_title } = summary
  if (!is_known) return <span>Unit {unit_number} is not in the vehicle list; saving adds the vehicle.</span>
  const isExpired = registered_until !== null && registered_until < today
  return (
    <ul>
      <li data-place={current_location_id ?? undefined}>
        <a href={paths.vehicles.show(unit_number)}>{unit_number}</a>
        {[model_year, current_status, current_location && `at ${current_location}`]
          .filter(Boolean)
          .map((fact) => `, ${fact}`)}
      </li>
      {open_transport && <li>Active transport: {open_transport}</li>}
      {open_osl && <li>Out of service: {open_osl}</li>}
      {registered_until && (
        <li className={isExpired ? 'text-danger' : undefined}>
          {isExpired ? 'Registration expired' : 'Registered until'} {showDate(registered_until)}
        </li>
      )}
      {has_pending_title && <li>The title is still pending</li>}
    </ul>
  )
}
