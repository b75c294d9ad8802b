import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { renderCached } from '../../src/platform/http/cached-page'
import type { SerializedRow } from '../../src/platform/records/listing'
import { List } from '../../views/ui/list'

type Row = { id: number; name: string }
const linesOf = (...names: string[]): SerializedRow<Row>[] =>
  names.map((name, at) => {
    const row = { id: at + 1, name }
    return { text: JSON.stringify(row), read: () => row }
  })

type Props = { lines: SerializedRow<Row>[]; total: number; q?: string; onRow?: () => string }
let drawnPages = 0
function NamesPage({ lines, total, q = '' }: Props) {
  drawnPages++
  return (
    <>
      <h1>{total} names</h1>
      <List
        path="/names"
        query={{ q, page: 1, per_page: 50 }}
        meta={{ page: 1, per_page: 50, total, pages: 1 }}
        rows={[]}
        lines={lines}
        caption="Names"
        empty={{ title: 'No names', hint: '' }}
        columns={[{ label: 'Name', cell: ({ name }: Row) => name }]}
      />
    </>
  )
}
const whole = (body: Parameters<typeof renderCached>[0]) => renderToStaticMarkup(body)
const renderPage = (props: Props, scope = 'today') => renderCached(<NamesPage {...props} />, scope, whole).join('')

test('a cached page frame is rendered once and equals the fully rendered page', () => {
  const cases: Props[] = [
    { lines: linesOf('Ada', 'Ben'), total: 2 },
    { lines: linesOf('Cleo', '<template id="rows-here"></template>'), total: 2 },
    { lines: linesOf('Ada', 'Ben'), total: 3 },
    { lines: linesOf('Ada'), total: 3 },
    { lines: linesOf('Ada'), total: 3, q: '<template id="rows-here"></template>' },
    { lines: [], total: 0 },
    { lines: linesOf('Cleo', 'Ada'), total: 2 },
  ]
  for (const props of cases) expect(renderPage(props)).toBe(whole(<NamesPage {...props} />))
  for (const props of cases) expect(renderPage(props)).toBe(whole(<NamesPage {...props} />))
  drawnPages = 0
  for (const props of cases) renderPage(props)
  expect(drawnPages).toBe(0)
  renderPage(cases[0] as Props, 'tomorrow')
  expect(drawnPages).toBe(1)
})

test('a page with props beyond plain data is rendered each time', () => {
  const props = { lines: linesOf('Ada'), total: 1, onRow: () => 'x' }
  drawnPages = 0
  renderPage(props)
  renderPage(props)
  expect(drawnPages).toBe(2)
})

test('a page without a list is rendered once only if it declares so', () => {
  let drawn = 0
  function Greeting({ name, at }: { name: string; at: Date }) {
    drawn++
    return (
      <p>
        {name} {at.toISOString()}
      </p>
    )
  }
  const [early, late] = [new Date('2026-03-14T08:00:00Z'), new Date('2026-03-14T09:00:00Z')]
  const greet = (name: string, at: Date, scope = 'today') =>
    renderCached(<Greeting name={name} at={at} />, scope, whole).join('')
  greet('Ada', early)
  greet('Ada', early)
  expect(drawn).toBe(2)
  Greeting.isDrawnOnce = true as const
  expect([greet('Ada', early), greet('Ada', early), greet('Ben', early), greet('Ada', late)]).toEqual([
    '<p>Ada 2026-03-14T08:00:00.000Z</p>',
    '<p>Ada 2026-03-14T08:00:00.000Z</p>',
    '<p>Ben 2026-03-14T08:00:00.000Z</p>',
    '<p>Ada 2026-03-14T09:00:00.000Z</p>',
  ])
  expect(drawn).toBe(5)
  greet('Ada', early, 'tomorrow')
  expect(drawn).toBe(6)
})
