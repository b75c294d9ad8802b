import type { ReportType } from './types'

/**
 * Explanations of report figures, by column. They apply to all reports, except where `OWN` has a different explanation
 * for one report.
 */
const COMMON: Record<string, string> = {
  count: 'Number of records.',
  estimated_cost: 'Sum of the estimated costs; a blank counts as 0.',
  final_cost: 'Sum of the final costs; a blank counts as 0.',
  delivered: 'Transports whose status is Delivered.',
  on_time: 'Transports that arrived on or before the estimated arrival date.',
  on_time_rate:
    'On-time arrivals as a percentage of the transports that have both an actual and an estimated arrival date.',
  moves_out: 'In-transit and delivered transports from the location.',
  moves_in: 'Delivered transports to the location.',
  final_cost_in: 'Sum of the final costs of delivered transports to the location.',
  storage_fees:
    'Charged days within the period, each at the daily rate of that day, minus waivers. An entry that is not ' +
    'completed is charged through today.',
  days: 'Days with storage fees within the period. The OSL date and the grace period are not counted.',
  daily_rate: 'Storage fee per day.',
  completed: 'Entries whose status is Completed.',
  average_mileage: 'Average mileage of the vehicles; blanks are ignored.',
  days_until_expiry: 'Calendar days from today to the expiry date; negative after expiry.',
  transport_cost: 'Final costs of delivered transports. A cost counts on the move date, at the destination.',
  registration_cost: 'Cost plus VLT of registrations. Both count on the date of issue.',
  total_cost: 'Sum of transport, registration and storage costs.',
  variance: 'Final cost minus estimated cost; negative means under the estimate.',
  variance_rate: 'Final cost minus estimated cost, as a percentage of the estimated cost.',
}

const OWN: Partial<Record<ReportType, Record<string, string>>> = {
  transport_company_performance: {
    average_days:
      'Average calendar days from move date to arrival; 0 for a transport that arrived before its move date.',
    final_cost: 'Sum of the final costs of delivered transports; a blank counts as 0.',
    variance:
      'Final cost minus estimated cost of delivered transports that have both costs; negative means under ' +
      'the estimate.',
    variance_rate:
      'Final cost minus estimated cost, as a percentage of the estimate, for delivered transports with both costs.',
  },
  osl_summary: { average_days: 'Average days out of service; an entry that is not completed counts through today.' },
  osl_vendor_analysis: {
    average_days: 'Average days out of service; an entry that is not completed counts through today.',
  },
  osl_problem_categories: {
    average_days: 'Average days out of service; an entry that is not completed counts through today.',
  },
  title_aging: { average_days: 'Average calendar days since submission.' },
  budget_analysis: {
    count: 'Delivered transports with both an estimated and a final cost.',
    estimated_cost: 'Sum of the estimated costs of delivered transports that have an estimate and a final cost.',
    final_cost: 'Sum of the final costs of delivered transports that have an estimate and a final cost.',
    budget: 'Budgets of the months in the period; a partial month counts in proportion to its days.',
    total_cost:
      'Costs of transports, registrations and storage in the period. A cost counts only if its location ' +
      'has a budget for that month.',
    left: 'Budget minus spent; negative means over budget.',
  },
}

export const meaningOf = (type: ReportType, key: string): string | undefined => OWN[type]?.[key] ?? COMMON[key]
