import type { Found } from '../../db/schema'
import { fieldLabel } from '../../src/platform/field-label'
import { possibleOrders } from '../../src/platform/reading/dates'
import { showCount } from '../format'
import type { QuestionProps } from './question-props'

/**
 * Asks whether dates are written month-day or day-month. One answer applies to all columns, because most files use
 * only one order. The user can also answer for each column.
 */
export function DateOrderQuestions({ dates, orders }: { dates: Found['dates']; orders: QuestionProps['dateOrders'] }) {
  const dateQuestions = dates.map((date) => <DateOrderQuestion key={date.field} {...date} order={orders[date.field]} />)
  if (dates.length < 2) return dateQuestions
  const answers = new Set(dates.map(({ field }) => orders[field] ?? 'month'))
  const [answer] = answers.size === 1 ? answers : (['each'] as const)
  const choice = (value: typeof answer, label: string) => (
    <label>
      <input type="radio" name="date" value={value} defaultChecked={answer === value} /> {label}
    </label>
  )
  const labels = dates.map(({ field }) => fieldLabel(field)).join(', ')
  const samples = [...new Set(dates.flatMap(({ samples }) => samples))].slice(0, 3).join(', ')
  return (
    <>
      <fieldset className="question-date">
        <legend>
          {labels}: are {samples} written month first or day first?
        </legend>
        {choice('month', 'Month first (US)')}
        {choice('day', 'Day first')}
        {choice('each', 'Answer for each column separately')}
      </fieldset>
      <details open={answer === 'each'}>
        <summary>Each date column</summary>
        {dateQuestions}
      </details>
    </>
  )
}

function DateOrderQuestion({
  field,
  samples,
  rows,
  order,
}: Found['dates'][number] & { order: 'month' | 'day' | undefined }) {
  const choice = (value: 'month' | 'day', label: string) => (
    <label>
      <input type="radio" name={`date.${field}`} value={value} defaultChecked={(order ?? 'month') === value} /> {label}
    </label>
  )
  const isAmbiguous = samples.some((sample) => possibleOrders(sample).length > 1)
  return (
    <fieldset className="question-date">
      <legend>
        {fieldLabel(field)}: is {samples.join(', ')} written month first or day first?
      </legend>
      <p className="hint">
        {showCount(rows)} {rows === 1 ? 'row' : 'rows'} can{' '}
        {isAmbiguous ? 'be read both ways.' : 'only be read with the day first.'}
      </p>
      {choice('month', 'Month first (US)')}
      {choice('day', 'Day first')}
    </fieldset>
  )
}
