import { showCount } from '../format'
import type { Option } from '../ui/fields'
import type { Props } from './questions'

/**
 * Number of names per step, those of most rows first. It is limited because each question contains the whole list of
 * places.
 */
export const ASKED_AT_ONCE = 30

type Asked = { kind: 'location' | 'company'; name: string; rows: number | null; isNew: boolean }

export function Names({
  names,
  locations,
  companies,
  likely,
  isAdmin,
}: Pick<Props, 'locations' | 'companies' | 'likely' | 'isAdmin'> & { names: Asked[] }) {
  return (
    <fieldset>
      <legend>These names are not known. What do they stand for?</legend>
      <p className="hint">Your choices are remembered for later files. Rows with a name left open will fail.</p>
      <table className="table table-plain table-cards">
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
          {names.slice(0, ASKED_AT_ONCE).map((asked, at) => (
            <NameQuestion
              key={`${asked.kind} ${asked.name}`}
              {...asked}
              at={at}
              options={asked.kind === 'location' ? locations : companies}
              likely={likely[`${asked.kind} ${asked.name}`] ?? []}
              canCreate={asked.isNew || (isAdmin && asked.name.length <= 100)}
            />
          ))}
        </tbody>
      </table>
      {names.length > ASKED_AT_ONCE && (
        <p className="hint">{showCount(names.length - ASKED_AT_ONCE)} more names will appear after you apply these.</p>
      )}
    </fieldset>
  )
}

type QuestionProps = Asked & { at: number; options: Option[]; likely: number[]; canCreate: boolean }

/**
 * One name and its possible meanings. Similarly spelled ones come first, and the most similar is shown beside the name.
 */
function NameQuestion({ kind, name, rows, isNew, at, options, likely, canCreate }: QuestionProps) {
  const alike = likely.flatMap((id) => options.find(({ value }) => value === id) ?? [])
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
          {alike[0] && <span className="spelt-alike">Similar to {alike[0].label}</span>}
        </span>
      </td>
      <td className="figure" data-label="Rows">
        {rows === null ? 'new' : showCount(rows)}
      </td>
      <td data-label="Stands for">
        <input type="hidden" name={`name.${at}`} value={name} />
        <input type="hidden" name={`kind.${at}`} value={kind} />
        {isNew && <input type="hidden" name={`was.${at}`} value="create" />}
        <select name={`choice.${at}`} aria-label={`${name} stands for`} defaultValue={isNew ? 'create' : ''}>
          <option value="">Leave open: these rows will fail</option>
          {canCreate && <option value="create">Create “{name}” with the import</option>}
          {alike.length > 0 && <optgroup label="Similar names">{choices(alike)}</optgroup>}
          {alike.length > 0 ? (
            <optgroup label="All others">{choices(options.filter((option) => !alike.includes(option)))}</optgroup>
          ) : (
            choices(options)
          )}
        </select>
      </td>
    </tr>
  )
}
