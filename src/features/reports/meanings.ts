import type { ReportType } from './types'

/**
 * Explanations of report figures, by column. They apply to all reports, except where `OWN` has a different explanation
 * for one report.
 */
const COMMON: Record<string, string> = {
  count: 'Number of records.',
  estimated_cost: 'Sum of the estimated costs; a blank cost counts as 0.',
  final_cost: 'Sum of the final costs; a blank cost counts as 0.',
  delivered: 'Transports whose status is Delivered.',
  on_time: 'Transports that arrived on or before the estimated arrival date.',
  on_time_rate:
    'On-time arrivals as a percentage of the transports that have both an actual and an estimated arrival date.',
  moves_out: 'In-transit and delivered transports from the location.',
  moves_in: 'Transports that were delivered to the location.',
  final_cost_in: 'Sum of the final costs of transports that were delivered to the location.',
  storage_fees:
    'Charged days within the period, each at the daily rate of that day, minus waivers. An entry that is not ' +
    'completed is charged through today.',
  days: 'Number of days with storage fees within the period. The OSL date and the grace period are not counted.',
  daily_rate: 'Storage fee per day.',
  completed: 'OSL entries with the status Completed.',
  average_mileage: 'Average mileage of the vehicles; vehicles without a mileage are ignored.',
  days_until_expiry:
    'Number of calendar days from today to the expiry date. The number is negative if this date has passed.',
  transport_cost: 'Final costs of delivered transports, by the move date and the destination of the transport.',
  registration_cost: 'Cost plus VLT of registrations. Both are counted on the date of issue.',
  total_cost: 'Sum of transport, registration and storage costs.',
  variance: 'Final cost minus estimated cost; a negative amount means that the cost was below the estimate.',
  variance_rate: 'Final cost minus estimated cost, as a percentage of the estimated cost.',
}

const OWN: Partial<Record<ReportType, Record<string, string>>> = {
  transport_company_performance: {
    average_days:
      'Average number of calendar days from the move date to the arrival. ' +
      'A transport that arrived before its move date counts as 0 days.',
    final_cost: 'Sum of the final costs of delivered transports; a blank cost counts as 0.',
    variance:
      'Final cost minus estimated cost of delivered transports that have both costs; negative means under ' +
      'the estimate.',
    variance_rate:
      'For delivered transports with both costs: final cost minus estimated cost, ' +
      'as a percentage of the estimated cost.',
  },
  osl_summary: {
    average_days: 'Average number of days out of service. For open entries, the days through today are counted.',
  },
  osl_vendor_analysis: {
    average_days: 'Average number of days out of service. For open entries, the days through today are counted.',
  },
  osl_problem_categories: {
    average_days: 'Average number of days out of service. For open entries, the days through today are counted.',
  },
  title_aging: { average_days: 'Average number of calendar days since the title was submitted.' },
  budget_analysis: {
    count: 'Delivered transports with both an estimated and a final cost.',
    estimated_cost:
      'Sum of the estimated costs of the delivered transports that have both an estimated and a final cost.',
    final_cost: 'Sum of the final costs of the delivered transports that have both an estimated and a final cost.',
    budget:
      'Sum of the monthly budgets in the period. ' +
      'If only part of a month is in the period, only the same part of the budget for that month is counted.',
    total_cost:
      'Costs of transports, registrations and storage in the period. A cost counts only if its location ' +
      'has a budget for that month.',
    left: 'Budget minus the amount spent; a negative amount means over budget.',
  },
}

export const meaningOf = (type: ReportType, key: string): string | undefined => OWN[type]?.[key] ?? COMMON[key]
