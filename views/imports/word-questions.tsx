import type { Found } from '../../db/schema'
import { fieldLabel } from '../../src/platform/field-label'
import type { ShownColumns } from '../../src/platform/imports/kinds'
import { showCount } from '../format'

export const BLANK_WORD = 'blank'

/** Maximum number of unknown values about which the page asks at once. Values in the most rows come first. */
const MAX_WORD_QUESTIONS = 30

type Words = NonNullable<Found['words']>

/** Asks for the meaning of values that a field does not allow. An example is the status `Done`. */
export function WordQuestions({
  words,
  columns: { required, optional },
  suggestions,
}: {
  words: Words
  columns: ShownColumns
  suggestions: Record<string, string>
}) {
  return (
    <fieldset>
      <legend>These values are not valid for their fields. What do they stand for?</legend>
      <p className="hint">
        Your choices are remembered for later files. If you leave a value unanswered, its rows will fail.
      </p>
      <table className="table table-plain table-cards">
        <thead>
          <tr>
            <th scope="col">Value in the file</th>
            <th scope="col" className="figure">
              Rows
            </th>
            <th scope="col">Stands for</th>
          </tr>
        </thead>
        <tbody>
          {words.slice(0, MAX_WORD_QUESTIONS).map(({ field, text, rows }, at) => (
            <tr key={`${field} ${text}`}>
              <td data-label="Value in the file">
                <span>
                  <strong>{text}</strong> <span className="hint">{fieldLabel(field)}</span>
                </span>
              </td>
              <td className="figure" data-label="Rows">
                {showCount(rows)}
              </td>
              <td data-label="Stands for">
                <input type="hidden" name={`list.${at}`} value={field} />
                <input type="hidden" name={`word.${at}`} value={text} />
                <select
                  name={`meaning.${at}`}
                  aria-label={`${text} stands for`}
                  defaultValue={suggestions[`${field} ${text}`] ?? ''}
                >
                  <option value="">Leave unanswered</option>
                  {optional
                    .filter(({ name }) => name === field)
                    .map(({ name, usual }) => (
                      <option key={name} value={BLANK_WORD}>
                        {usual ? `No value: use the default, ${usual}` : 'No value: leave the field blank'}
                      </option>
                    ))}
                  {[...required, ...optional]
                    .find(({ name }) => name === field)
                    ?.words?.map((word) => (
                      <option key={word} value={word}>
                        {word}
                      </option>
                    ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {words.length > MAX_WORD_QUESTIONS && (
        <p className="hint">
          {showCount(words.length - MAX_WORD_QUESTIONS)} more values will appear after you apply these.
        </p>
      )}
    </fieldset>
  )
}
