import type { ReportType } from './types'

/** Explanations of figures by column, which `OWN` overrides per report. */
const COMMON: Record<string, string> = {
  count: 'Records that the report is about.',
  estimated_cost: 'The estimated costs added up; a blank counts as nothing.',
  final_cost: 'The final costs added up; a blank counts as nothing.',
  delivered: 'Transports whose status is Delivered.',
  on_time: 'Transports that arrived on or before their estimated arrival.',
  on_time_rate: 'On time, out of the transports that have both an arrival and an estimate.',
  average_days: 'Calendar days on average; the first day counts 0.',
  moves_out: 'Transports that left the location: in transit or delivered.',
  moves_in: 'Transports that came to the location: delivered.',
  final_cost_in: 'The final costs of the delivered transports that came to the location.',
  storage_fees:
    'Days out of service that fall into the period × daily rate, of entries to which fees apply; an entry that is not completed counts through today.',
  days: 'Days out of service that fall into the period; the OSL date itself counts 0.',
  daily_rate: 'The storage fee of one day.',
  completed: 'Entries whose status is Completed.',
  average_mileage: 'The mileage of the vehicles on average; a blank is left out.',
  days_until_expiry: 'Calendar days from today to the day of expiry; negative when it has passed.',
  transport_cost:
    'Final costs of delivered transports, in the month of the move date, at the location that they came to.',
  registration_cost: 'Cost and VLT of registrations, in the month of issue.',
  total_cost: 'The three kinds of cost together.',
  variance: 'Final cost less estimated cost; negative is under the estimate.',
  variance_rate: 'The variance out of the estimated cost.',
}

const OWN: Partial<Record<ReportType, Record<string, string>>> = {
  transport_company_performance: {
    average_days:
      'Calendar days from the move date to the arrival, on average; 0 for one that arrived before the day it was planned for.',
    final_cost: 'The final costs of the delivered ones added up; a blank counts as nothing.',
    variance: 'Final cost less estimated cost of the delivered ones that have both; negative is under the estimate.',
    variance_rate: 'That, out of their estimated costs.',
  },
  osl_summary: { average_days: 'Days out of service on average; an entry that is not completed counts through today.' },
  osl_vendor_analysis: {
    average_days: 'Days out of service on average; an entry that is not completed counts through today.',
  },
  osl_problem_categories: {
    average_days: 'Days out of service on average; an entry that is not completed counts through today.',
  },
  title_aging: { average_days: 'Calendar days since the submission, on average.' },
  budget_analysis: {
    count: 'Delivered transports that have both costs.',
    estimated_cost: 'Their estimated costs added up.',
    final_cost: 'Their final costs added up.',
    budget: 'The budgets of the months that have a day in the period; of a month that it cuts, by its days.',
    total_cost:
      'What was spent in the period by the locations that have a budget of the month: transports, registrations and storage.',
    left: 'Budget less spent; negative is over the budget.',
  },
}

export const meaningOf = (type: ReportType, key: string): string | undefined => OWN[type]?.[key] ?? COMMON[key]
