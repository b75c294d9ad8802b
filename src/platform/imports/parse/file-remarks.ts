import { fieldLabel } from '../../field-label'
import { inWords } from '../../records/warnings'
import type { SheetFacts } from '../spreadsheet/read-sheet'
import type { Section } from './section-rows'

const LISTED_ROWS = 20

export function remarksOnFile(
  { sheets = [], sheet, hiddenRows = [], commented = [], encoding, foreign = 0 }: Partial<SheetFacts>,
  skipsHidden: boolean,
): string[] {
  const unread = sheets
    .filter(({ name }) => name !== sheet)
    .map(({ name, is_hidden }) => `${is_hidden ? 'the hidden ' : ''}"${name}"`)
  const list = (all: (string | number)[]) =>
    all.slice(0, LISTED_ROWS).join(', ') + (all.length > LISTED_ROWS ? ' and more' : '')
  return [
    ...(unread.length ? [`Only the sheet "${sheet}" was read, not ${unread.join(', ')}`] : []),
    ...(hiddenRows.length
      ? [
          `Hidden or filtered rows were ${skipsHidden ? 'left out' : 'read too'}: ` +
            `${hiddenRows.length === 1 ? 'row' : 'rows'} ${list(hiddenRows)}`,
        ]
      : []),
    ...(commented.length
      ? [`Comments are not imported: ${commented.length === 1 ? 'cell' : 'cells'} ${list(commented)}`]
      : []),
    ...(encoding && encoding !== 'utf-8' ? [`The text was read as ${encoding}`] : []),
    ...(foreign ? [`The text is UTF-8, but ${foreign} of its characters were read as windows-1252`] : []),
  ]
}

/** Letters of a column. Index 0 gives `A`, and index 27 gives `AB`. */
const letterOf = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : letterOf(Math.floor(at / 26) - 1) + letterOf(at % 26)

/** @param columns positions of columns in the file */
export const remarksOnUnnamed = (columns: number[]): string[] =>
  columns.map((at) => `Column ${letterOf(at)} has values but no heading, so it was not read`)

type HeadingOf = (field: string) => string

export const remarksOnSections = (headingOf: HeadingOf, sections: Section[]): string[] =>
  sections.map(
    ({ field, first }) =>
      `${headingOf(field ?? '')}: rows without a value get the title row above them, such as row ${first.row}`,
  )

/** @param year year in the name of the sheet, if the file has dates without a year */
export const remarksOnYear = (year: number | undefined, sheet: string | null | undefined): string[] =>
  year === undefined
    ? []
    : [`Dates without a year were read as dates of ${year}, because the sheet is named "${sheet}"`]

type UseOfDefaults = {
  fields: (string | null | undefined)[]
  isRemembered: boolean
  /** Number of rows in which the column of a field is blank. */
  blankRows: ReadonlyMap<string, number> | undefined
}

export const remarksOnDefaults = (
  defaults: Record<string, string>,
  { fields, isRemembered, blankRows }: UseOfDefaults,
): string[] =>
  Object.entries(defaults).flatMap(([field, value]) => {
    const hasColumn = fields.includes(field)
    if (hasColumn && !blankRows?.has(field)) return []
    const reason = isRemembered ? ', as in your last file with these columns' : ''
    return [`${fieldLabel(field)}: ${value} in ${hasColumn ? 'blank cells' : 'all rows'}${reason}`]
  })

type DateSamples = { field: string; sample: string }[]

export const remarksOnDates = (
  headingOf: HeadingOf,
  {
    dotted,
    mixed,
    dayFirst,
    exchanged,
    unclearExpiries,
    doubtful,
  }: {
    dotted: DateSamples
    mixed: DateSamples
    dayFirst: DateSamples
    exchanged: DateSamples
    unclearExpiries: DateSamples
    doubtful: { field: string; samples: string[] }[]
  },
): string[] => [
  ...dotted.map(
    ({ field, sample }) =>
      `${headingOf(field)}: dates such as ${sample} were read day first, because the file has semicolons ` +
      `or decimal commas`,
  ),
  ...doubtful.map(
    ({ field, samples }) =>
      `${headingOf(field)}: dates such as ${samples[0]} were read month first, but the file has semicolons or ` +
      `decimal commas; check whether the day comes first`,
  ),
  ...mixed.map(
    ({ field, sample }) =>
      `${headingOf(field)}: some dates have the day first and others the month; check dates such as ${sample}`,
  ),
  ...unclearExpiries.map(
    ({ field, sample }) =>
      `${headingOf(field)}: dates such as ${sample} were read as days; if they are months and years, write the ` +
      `year in full`,
  ),
  ...dayFirst.map(({ field, sample }) => `${headingOf(field)}: dates such as ${sample} were read day first`),
  ...exchanged.map(
    ({ field, sample }) =>
      `${headingOf(field)}: a spreadsheet program may have exchanged day and month in date cells such as ` +
      `${inWords(sample)}; check these cells`,
  ),
]
