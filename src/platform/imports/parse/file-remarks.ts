import { inWords } from '../../records/warnings'
import type { SheetFacts } from '../spreadsheet/read-sheet'

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

type DateSamples = { field: string; sample: string }[]

export const remarksOnDates = (
  headingOf: (field: string) => string,
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
