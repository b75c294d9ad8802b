import { z } from 'zod'
import { asNumber, optionalMoney, version } from '../../platform/fields'

export const MONTHS = 12

const calendarYear = z
  .int({ error: 'Must be a year, for example 2026' })
  .min(2000, 'Must be 2000 or later')
  .max(2199, 'Must be 2199 or earlier')

const year = z.preprocess(asNumber, calendarYear)

export const budgetQuery = z.object({
  year: z.preprocess(
    (value) => (value === '' || value === null ? undefined : asNumber(value)),
    calendarYear.optional(),
  ),
})

export const budget = z.object({
  year,
  amounts: z
    .array(optionalMoney, { error: 'Must be a list of twelve amounts' })
    .length(MONTHS, 'Must be twelve amounts, beginning with January. Use null for a month without a budget.'),
  version,
})
export type BudgetChange = z.output<typeof budget>
