import { NONE, showMoney } from '../format'

export function RemainingBudget({ budget, spent }: { budget: number | null; spent: number }) {
  if (budget === null) return NONE
  const remaining = (Math.round(budget * 100) - Math.round(spent * 100)) / 100
  return remaining < 0 ? <span className="text-danger">{showMoney(-remaining)} over</span> : showMoney(remaining)
}
