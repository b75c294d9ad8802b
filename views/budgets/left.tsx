import { NONE, showMoney } from '../format'

export function Left({ budget, spent }: { budget: number | null; spent: number }) {
  if (budget === null) return NONE
  const left = (Math.round(budget * 100) - Math.round(spent * 100)) / 100
  return left < 0 ? <span className="text-danger">{showMoney(-left)} over</span> : showMoney(left)
}
