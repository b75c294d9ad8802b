import { expect, test } from 'bun:test'
import { readSheet } from '../../src/platform/imports/spreadsheet/read-sheet'
import { zip } from '../support/zip'

async function rowsOf(bytes: Uint8Array): Promise<unknown[][]> {
  const lines: unknown[][] = []
  await readSheet(
    bytes,
    'a.xlsx',
    { row: null },
    {
      likeness: () => 0,
      header: ({ names }) => lines.push(names),
      rows: (rows) => lines.push(...rows.map(({ cells }) => cells)),
    },
  )
  return lines
}

test('workbook XML is read with prefixes, entities, comments and unusual part names', async () => {
  const bytes = zip([
    [
      '/_rels/.rels',
      `<p:Relationships><p:Relationship Id='a' Type='x/officeDocument' Target='/xl/book.xml'/></p:Relationships>`,
    ],
    ['XL\\Book.xml', '<x:workbook><x:sheets><x:sheet name="a&gt;b" rel:id="r&#49;"/></x:sheets></x:workbook>'],
    [
      'xl/_rels/book.xml.rels',
      '<Relationships><Relationship Type="x/worksheet" Target="s.xml" Id="r1"/></Relationships>',
    ],
    [
      'xl/s.xml',
      `<?xml version="1.0"?><!-- > --><x:row\n r = '1'><x:c t='inlineStr'><x:is><x:t>One &amp; ` +
        `&#x54;wo</x:t></x:is></x:c></x:row>
      <x:row><x:c  r='B2' t="str"><x:v><![CDATA[<&amp;>]]></x:v ></x:c><x:c><x:v>3</x:v><x:f/></x:c></x:row>`,
    ],
  ])
  // No row qualifies as a header, so the reader adds a blank one.
  expect(await rowsOf(bytes)).toEqual([['', '', ''], ['One & Two'], [null, '<&amp;>', 3]])
})
