import { showCount } from '../format'
import type { Option } from '../ui/fields'
import type { QuestionProps } from './question-props'

/**
 * Maximum number of unknown names about which the page asks at once. Names that occur in the most rows come first.
 * There is a limit, because each question contains the list of all locations or companies.
 */
export const MAX_NAME_QUESTIONS = 30

type UnknownName = { kind: 'location' | 'company'; name: string; rows: number | null; isNew: boolean }

export function NameQuestions({
  names,
  locations,
  companies,
  suggestions,
  isAdmin,
}: Pick<QuestionProps, 'locations' | 'companies' | 'isAdmin'> & {
  names: UnknownName[]
  suggestions: QuestionProps['suggestions']['names']
}) {
  return (
    <fieldset>
      <legend>These names are not known. What do they stand for?</legend>
      <p className="hint">
        Your choices are remembered for later files. If you leave a name unanswered, its rows will fail.
      </p>
      <table className="table table-plain table-cards">
        <colgroup>
          <col width="320" />
          <col width="70" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Name in the file</th>
            <th scope="col" className="figure">
              Rows
            </th>
            <th scope="col">Stands for</th>
          </tr>
        </thead>
        <tbody>
          {names.slice(0, MAX_NAME_QUESTIONS).map((question, at) => (
            <NameQuestion
              key={`${question.kind} ${question.name}`}
              {...question}
              at={at}
              options={question.kind === 'location' ? locations : companies}
              suggestion={suggestions[`${question.kind} ${question.name}`]}
              canCreate={question.isNew || (isAdmin && question.name.length <= 100)}
            />
          ))}
        </tbody>
      </table>
      {names.length > MAX_NAME_QUESTIONS && (
        <p className="hint">
          {showCount(names.length - MAX_NAME_QUESTIONS)} more names will appear after you apply these.
        </p>
      )}
    </fieldset>
  )
}

type NameQuestionProps = UnknownName & {
  at: number
  options: Option[]
  suggestion: { ids: number[]; isLikely: boolean } | undefined
  canCreate: boolean
}

/**
 * Asks which record an unknown name means. Records with a similar name come first in the list. The most similar record
 * is also shown beside the name. The list preselects this record if the name probably means it.
 */
function NameQuestion({ kind, name, rows, isNew, at, options, suggestion, canCreate }: NameQuestionProps) {
  const suggestedOptions = (suggestion?.ids ?? []).flatMap((id) => options.find(({ value }) => value === id) ?? [])
  const preselected = suggestion?.isLikely ? (suggestedOptions[0]?.value ?? '') : ''
  const choices = (some: Option[]) =>
    some.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))
  return (
    <tr>
      <td data-label="Name in the file">
        <span>
          <strong>{name}</strong> <span className="hint">{kind === 'location' ? 'location' : 'transport company'}</span>
          {suggestedOptions[0] && <span className="spelt-alike">Similar to {suggestedOptions[0].label}</span>}
        </span>
      </td>
      <td className="figure" data-label="Rows">
        {rows === null ? 'new' : showCount(rows)}
      </td>
      <td data-label="Stands for">
        <input type="hidden" name={`name.${at}`} value={name} />
        <input type="hidden" name={`kind.${at}`} value={kind} />
        {isNew && <input type="hidden" name={`was.${at}`} value="create" />}
        <select name={`choice.${at}`} aria-label={`${name} stands for`} defaultValue={isNew ? 'create' : preselected}>
          <option value="">Leave unanswered</option>
          {canCreate && (
            <option value="create">
              Create “{name}” {kind === 'location' ? 'as a hub ' : ''}with the import
            </option>
          )}
          {suggestedOptions.length > 0 && <optgroup label="Similar names">{choices(suggestedOptions)}</optgroup>}
          {suggestedOptions.length > 0 ? (
            <optgroup label="All others">
              {choices(options.filter((option) => !suggestedOptions.includes(option)))}
            </optgroup>
          ) : (
            choices(options)
          )}
        </select>
      </td>
    </tr>
  )
}
