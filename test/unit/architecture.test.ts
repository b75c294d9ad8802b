import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ROOT, sourceFiles } from '../support/imports'

test('sources use only htmx 4 events and attributes', async () => {
  for (const file of sourceFiles()) {
    const text = await Bun.file(join(ROOT, file)).text()
    expect([file, /htmx:[a-z]+[A-Z]|hx-on[:=]|hx-ext|hx-vars/.exec(text)?.[0] ?? null]).toEqual([file, null])
  }
})

test('every migration file is in the shipped list', async () => {
  const { migrations } = await import('../../db/migrate')
  const files = [...new Bun.Glob('*.sql').scanSync(join(ROOT, 'db/migrations'))].sort()
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files)
})

test('every foreign key has an index and a delete rule', async () => {
  const schema = await import('../../db/schema')
  const { getTableConfig, PgTable } = await import('drizzle-orm/pg-core')
  const { is } = await import('drizzle-orm')
  const tables = Object.values(schema).filter((value) => is(value, PgTable))
  for (const table of tables) {
    const { name, foreignKeys, indexes, primaryKeys } = getTableConfig(table as never)
    for (const key of foreignKeys) {
      const column = key.reference().columns[0]?.name
      const isIndexed =
        primaryKeys.some((primary) => primary.columns[0]?.name === column) ||
        indexes.some((index) => (index.config.columns[0] as { name?: string }).name === column && !index.config.where)
      expect([name, column, isIndexed, key.onDelete !== undefined && key.onDelete !== 'no action']).toEqual([
        name,
        column,
        true,
        true,
      ])
    }
  }
})
