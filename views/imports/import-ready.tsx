import { DATA_TYPE_LABELS, type RowOutcome } from '../../db/vocabulary'
import { fieldLabel } from '../../src/platform/field-label'
import type { ShownColumns } from '../../src/platform/imports/kinds'
import { paths } from '../../src/platform/paths'
import { showCount } from '../format'
import { downloadLabel, FixLink } from './import-outcome'
import { records, type ShownImport } from './import-props'
import { Preview, type PreviewRow } from './preview'
import type { QuestionProps } from './question-props'
import { QUESTIONS, Questions } from './questions'
import { Warnings } from './result-card'

export type ShownPreview = Pick<Parameters<typeof Preview>[0], 'counts' | 'query' | 'meta'> & {
  rows: PreviewRow[]
  columns: ShownColumns
  /** True if the table for corrections can show the rows. */
  canFix: boolean
}
export type NameChoices = Pick<QuestionProps, 'locations' | 'companies' | 'suggestions' | 'isAdmin'>

export function Ready({
  upload,
  preview,
  choices,
}: {
  upload: ShownImport
  preview: ShownPreview
  choices: NameChoices
}) {
  const { id, data_type, existing, found, date_orders, defaults, skip_hidden, new_names } = upload
  if (!found) return null
  const isMissing = found.missing.length > 0
  const canImport = !isMissing && preview.counts.create + preview.counts.update > 0
  const hasSuggestions = !isMissing && hasLikelyNames(choices.suggestions)
  const areDatesContradicted = found.dates.some(
    ({ field, is_contradicted }) => is_contradicted && date_orders[field] === undefined,
  )
  const contested = found.contested ?? []
  const { asks_conflicts } = choices.suggestions
  const finishedCount = asks_conflicts ? (found.finished_rows ?? 0) : 0
  const isDoubtful = asks_conflicts && (found.doubtful_rows ?? 0) > 0
  // The same number of rows as in the question, unless the question also counts rows about finished records.
  const doubtfulCount = isDoubtful ? ((finishedCount > 0 ? found.doubtful_rows : found.conflict_rows) ?? 0) : 0
  const shortCount = upload.extend_short ? 0 : (found.short_rows ?? 0)
  const isAnswerFirst =
    finishedCount > 0 ||
    doubtfulCount > 0 ||
    shortCount > 0 ||
    hasSuggestions ||
    areDatesContradicted ||
    contested.length > 0 ||
    choices.suggestions.data_type !== null
  // Show only notes about the whole file here. Notes about one cell appear in the row of the cell, and notes about a
  // heading appear with the columns.
  const generalNotes = [
    ...(found.conflicts ?? []),
    ...upload.validation_errors.filter((text) => !/^Row \d|^Column .* was read as /.test(text)),
  ]
  return (
    <>
      <section className="panel">
        <p className="commit-line">
          {isMissing ? (
            <strong className="text-danger">
              This file has no column for {found.missing.map(fieldLabel).join(', ')}.{' '}
              {choices.suggestions.columns.some(Boolean) ? 'Check the suggested columns' : 'Choose the column'}, or
              choose one value for all rows.
            </strong>
          ) : (
            <>
              Nothing is saved yet. Of <strong>{showCount(upload.row_count)}</strong>{' '}
              {upload.row_count === 1 ? 'row' : 'rows'}, {commitWords(preview.counts)}.
              {new_names.length > 0 && (
                <> {new_names.map(({ name }) => name).join(', ')} will be created with the import.</>
              )}
            </>
          )}
        </p>
        {hasSuggestions && (
          <p className="hint">
            Some names or words look like typing errors. Check the suggestions below, then apply them.
          </p>
        )}
        {areDatesContradicted && (
          <p className="hint">Some dates probably have the day first. Choose the order of day and month below.</p>
        )}
        {finishedCount > 0 && (
          <p className="hint">
            {showCount(finishedCount)} {finishedCount === 1 ? 'row is' : 'rows are'} probably finished, but the import
            creates open records. Choose below whether to skip {finishedCount === 1 ? 'it' : 'them'}.
          </p>
        )}
        {doubtfulCount > 0 && (
          <p className="hint">
            {showCount(doubtfulCount)}{' '}
            {doubtfulCount === 1 ? 'row is probably a mistake' : 'rows are probably mistakes'}. Check the warnings, then
            choose below whether to skip {doubtfulCount === 1 ? 'it' : 'them'}.
          </p>
        )}
        {shortCount > 0 && (
          <p className="hint">
            {showCount(shortCount)} {shortCount === 1 ? 'problem is' : 'problems are'} too short. Choose below whether
            to import {shortCount === 1 ? 'it' : 'them'} with a prefix.
          </p>
        )}
        {contested.length > 0 && (
          <p className="hint">
            Several columns fit {contested.map(fieldLabel).join(', ')}, but their values differ. Check the columns
            below.
          </p>
        )}
        {choices.suggestions.data_type && (
          <p className="hint">
            The columns of this file look like {DATA_TYPE_LABELS[choices.suggestions.data_type]}. You can change the
            data type below.
          </p>
        )}
        <div className="actions-list commit-buttons">
          {/* When the user presses Enter, the browser uses the first submit button of the form. This hidden button is
              the first one, so Enter submits the answers. Without it, Enter would start the import. */}
          <button type="submit" form={QUESTIONS} className="visually-hidden" tabIndex={-1} aria-hidden="true">
            Apply and check again
          </button>
          {canImport && (
            // This button also submits the form with the questions. Otherwise, the import would ignore answers that the
            // user has not applied yet.
            <button
              type="submit"
              form={QUESTIONS}
              formAction={paths.files.commit(id)}
              className={isAnswerFirst ? 'button' : 'button button-primary'}
            >
              {commitLabel(preview.counts)}
            </button>
          )}
          {preview.counts.error > 0 && (
            <a className="button" href={paths.files.failed(id)}>
              {downloadLabel(preview.counts.error)}
            </a>
          )}
          {!isMissing && preview.canFix && <FixLink id={id} failed={preview.counts.error} />}
          <form method="post" action={paths.files.cancel(id)}>
            <button type="submit" className="button">
              Discard
            </button>
          </form>
        </div>
      </section>
      <Questions
        id={id}
        dataType={data_type}
        existing={existing}
        columns={preview.columns}
        found={found}
        newNames={new_names}
        dateOrders={date_orders}
        defaults={defaults}
        skipsHidden={skip_hidden}
        skipsConflicts={upload.skip_conflicts}
        extendsShort={upload.extend_short}
        isPrimary={!canImport || isAnswerFirst}
        {...choices}
      />
      {generalNotes.length > 0 && (
        <section className="panel">
          <Warnings warnings={generalNotes} />
        </section>
      )}
      {!isMissing && <Preview id={id} fields={[...found.fields, ...Object.keys(defaults)]} {...preview} />}
    </>
  )
}

const hasLikelyNames = ({ names, words }: NameChoices['suggestions']) =>
  Object.keys(words).length > 0 || Object.values(names).some(({ isLikely }) => isLikely)

function commitWords({ create, update, duplicate, error }: Record<RowOutcome, number>): string {
  const parts = [
    `${showCount(create)} will be created`,
    ...(update ? [`${showCount(update)} will be updated`] : []),
    ...(duplicate ? [`${showCount(duplicate)} will be skipped`] : []),
    ...(error ? [`${showCount(error)} cannot be imported`] : []),
  ]
  return new Intl.ListFormat('en-US').format(parts)
}

const commitLabel = ({ create, update }: Record<RowOutcome, number>) => {
  if (!update) return `Import ${records(create)}`
  return create ? `Import ${records(create)} and update ${showCount(update)}` : `Update ${records(update)}`
}
