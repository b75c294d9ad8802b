import { showCount } from '../format'
import type { Props } from './questions'

/** The names of most rows come first; each question brings the whole list of places. */
const ASKED_AT_ONCE = 30

type Asked = { kind: 'location' | 'company'; name: string; rows: number | null; isNew: boolean }

export function Names({
  names,
  locations,
  companies,
  isAdmin,
}: Pick<Props, 'locations' | 'companies' | 'isAdmin'> & { names: Asked[] }) {
  return (
    <fieldset>
      <legend>These names are not known. What do they stand for?</legend>
      <p className="hint">What you choose is remembered for later files. Rows of names that you leave open fail.</p>
      <table className="table table-plain">
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
          {names.slice(0, ASKED_AT_ONCE).map(({ kind, name, rows, isNew }, at) => (
            <tr key={`${kind} ${name}`}>
              <td>
                <strong>{name}</strong>{' '}
                <span className="hint">{kind === 'location' ? 'location' : 'transport company'}</span>
              </td>
              <td className="figure">{rows === null ? 'new' : showCount(rows)}</td>
              <td>
                <input type="hidden" name={`name.${at}`} value={name} />
                <input type="hidden" name={`kind.${at}`} value={kind} />
                {isNew && <input type="hidden" name={`was.${at}`} value="create" />}
                <select name={`choice.${at}`} aria-label={`${name} stands for`} defaultValue={isNew ? 'create' : ''}>
                  <option value="">Leave open: the rows fail</option>
                  {(isNew || (isAdmin && name.length <= 100)) && (
                    <option value="create">Create “{name}” with the import</option>
                  )}
                  {(kind === 'location' ? locations : companies).map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {names.length > ASKED_AT_ONCE && (
        <p className="hint">
          {showCount(names.length - ASKED_AT_ONCE)} more names are asked about once these are settled.
        </p>
      )}
    </fieldset>
  )
}
