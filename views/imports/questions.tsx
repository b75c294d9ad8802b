import { fieldLabel } from '../../src/platform/field-label'
import { paths } from '../../src/platform/paths'
import { showCount } from '../format'
import { DateOrderQuestions } from './date-questions'
import { Defaults } from './default-questions'
import {
  Columns,
  Conflicts,
  DataTypes,
  HeaderRow,
  HiddenRows,
  isNamedByFields,
  QuestionSelect,
  Sheets,
  ShortProblems,
} from './file-questions'
import { NameQuestions } from './name-questions'
import type { QuestionProps } from './question-props'
import { WordQuestions } from './word-questions'

/** Element id of the form with the questions. The import button is outside this form and submits it by this id. */
export const QUESTIONS = 'questions'

export function Questions({
  id,
  dataType,
  columns,
  existing,
  found,
  newNames,
  dateOrders,
  defaults,
  skipsHidden,
  skipsConflicts,
  extendsShort,
  locations,
  companies,
  suggestions,
  isAdmin,
  isPrimary,
}: QuestionProps & { isPrimary: boolean }) {
  const { words = [], hidden_rows = 0, conflict_rows = 0, finished_rows = 0, short_rows = 0 } = found
  const isAsking =
    found.missing.length +
      found.dates.filter(({ field }) => !dateOrders[field]).length +
      found.names.length +
      words.length >
    0
  const nameQuestions = [
    ...newNames.map((name) => ({ ...name, rows: null, isNew: true })),
    ...found.names.map((name) => ({ ...name, isNew: false })),
  ]
  const filled = found.fields.filter(Boolean).length
  // The rows cannot be imported without the missing columns, so the choice of columns comes before the other questions.
  const isIncomplete = found.missing.length > 0
  const columnChoices = (
    <>
      <Defaults columns={columns} found={found} defaults={defaults} {...{ locations, companies }} />
      <details open={found.missing.length + (found.contested?.length ?? 0) > 0 || suggestions.columns.some(Boolean)}>
        <summary>
          Columns: {showCount(filled)} of {showCount(found.header.length)} used
          {found.missing.length > 0 && (
            <strong className="text-danger"> · missing: {found.missing.map(fieldLabel).join(', ')}</strong>
          )}
        </summary>
        <Columns dataType={dataType} columns={columns} found={found} suggestions={suggestions.columns} />
      </details>
    </>
  )
  return (
    <form
      id={QUESTIONS}
      method="post"
      action={paths.files.settle(id)}
      className="panel questions"
      data-busy="Checking..."
      data-draft=""
    >
      <h2>{isAsking ? 'Questions about this file' : 'File settings'}</h2>
      {(isIncomplete || suggestions.data_type) && <DataTypes dataType={dataType} />}
      {isIncomplete && columnChoices}
      {nameQuestions.length > 0 && (
        <NameQuestions
          names={nameQuestions}
          locations={locations}
          companies={companies}
          suggestions={suggestions.names}
          isAdmin={isAdmin}
        />
      )}
      {words.length > 0 && <WordQuestions words={words} columns={columns} suggestions={suggestions.words} />}
      <DateOrderQuestions dates={found.dates} orders={dateOrders} />
      <Sheets found={found} />
      {hidden_rows > 0 && <HiddenRows count={hidden_rows} isSkipped={skipsHidden} />}
      {short_rows > 0 && <ShortProblems count={short_rows} isExtended={extendsShort} />}
      {(skipsConflicts || conflict_rows > 0) && (
        <Conflicts
          count={conflict_rows}
          finished={finished_rows}
          isSkipped={skipsConflicts || suggestions.skip_conflicts}
        />
      )}
      {!isNamedByFields(found) && <HeaderRow found={found} />}
      {!isIncomplete && columnChoices}
      <QuestionSelect
        name="existing"
        label="Rows whose record already exists"
        value={existing}
        options={[
          { value: 'skip', label: 'Skip these rows as duplicates' },
          { value: 'update', label: 'Update the record, but ignore blank cells' },
        ]}
      />
      <div className="form-buttons">
        <button type="submit" className={isPrimary ? 'button button-primary' : 'button'}>
          Apply and check again
        </button>
      </div>
    </form>
  )
}
