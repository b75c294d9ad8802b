import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { lockFolder } from '../../db/embedded/lock'
import { migrations } from '../../db/migrate'
import { readConfig } from '../../src/app/config'
import { refuseInterruptedRollback } from '../../src/app/data-folder'
import { openMigrated } from '../../src/app/open'
import { rollbackCommand } from '../../src/app/operator/rollback'
import { keepFile } from '../../src/platform/file-store'
import { removeFolders, temporaryFolder } from '../support/program'

const migrationCount = migrations.length

afterEach(() => migrations.splice(migrationCount))
afterAll(removeFolders)

/** Opens the database of a folder, adds a location and returns the codes of all locations. */
async function use(config: ReturnType<typeof readConfig>, code: string): Promise<string[]> {
  const { db, close } = await openMigrated(config)
  await db.execute(
    sql`insert into locations (location_code, location_name, location_type) values (${code}, ${code}, 'Hub')`,
  )
  const codes = await rows<{ location_code: string }>(db, sql`select location_code from locations order by id`)
  await close()
  return codes.map(({ location_code }) => location_code)
}

const refusal = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message)

describe('an update of the embedded database', () => {
  test('is preceded by a backup, which the previous version restores', async () => {
    const DATA_DIR = temporaryFolder()
    const config = readConfig({ DATA_DIR })
    await use(config, 'OLD')
    expect(existsSync(join(DATA_DIR, 'before-updates'))).toBe(false)
    expect(await refusal(rollbackCommand(config))).toContain('already matches this version')

    migrations.push({ name: '9999_later', text: 'alter table locations drop column phone' })
    expect(await use(config, 'NEW')).toEqual(['OLD', 'NEW'])
    expect(readdirSync(join(DATA_DIR, 'before-updates'))).toHaveLength(1)

    migrations.splice(migrationCount)
    expect(await refusal(use(config, 'LOST'))).toContain('made by a newer version')
    expect(await rollbackCommand(config)).toContain('The newer database is in')
    expect(await use(config, 'AGAIN')).toEqual(['OLD', 'AGAIN'])
    expect(readdirSync(DATA_DIR).filter((name) => name.startsWith('pgdata-'))).toHaveLength(1)

    migrations.push({ name: '9999_later', text: 'alter table locations drop column phone' })
    expect(await use(config, 'FORTH')).toEqual(['OLD', 'AGAIN', 'FORTH'])
  })

  test('that only expands the schema lets the previous version continue', async () => {
    const config = readConfig({ DATA_DIR: temporaryFolder() })
    await use(config, 'OLD')
    migrations.push({ name: '9999_later', text: 'alter table locations add column later text' })
    await use(config, 'NEW')
    migrations.splice(migrationCount)
    expect(await use(config, 'BACK')).toEqual(['OLD', 'NEW', 'BACK'])
  })

  test('keeps the database if the backup cannot be restored', async () => {
    const DATA_DIR = temporaryFolder()
    const config = readConfig({ DATA_DIR })
    await use(config, 'OLD')
    migrations.push({ name: '9999_later', text: 'alter table locations drop column phone' })
    await use(config, 'NEW')
    const [backup = ''] = readdirSync(join(DATA_DIR, 'before-updates'))
    const path = join(DATA_DIR, 'before-updates', backup)
    const bytes = await Bun.file(path).bytes()
    await Bun.write(path, bytes.subarray(0, bytes.length - 2000))
    migrations.splice(migrationCount)
    expect(await refusal(rollbackCommand(config))).toMatch(/(?:incomplete|not a complete backup).*move this file away/)
    expect(readdirSync(DATA_DIR)).not.toContain('rollback')
    migrations.push({ name: '9999_later', text: 'alter table locations drop column phone' })
    expect(await use(config, 'STILL')).toEqual(['OLD', 'NEW', 'STILL'])
  })
})

test(
  'files that are no backups are skipped, and a start after an interrupted rollback creates ' + 'no database',
  async () => {
    const DATA_DIR = temporaryFolder()
    const config = readConfig({ DATA_DIR })
    await use(config, 'OLD')
    migrations.push({ name: '9999_later', text: 'alter table locations drop column phone' })
    await use(config, 'NEW')
    migrations.splice(migrationCount)
    const other = (name: string) => join(DATA_DIR, 'before-updates', name)
    mkdirSync(other('99990101000000.backup.gz'))
    await Bun.write(other('99980101000000.backup.gz'), 'no backup')
    await Bun.write(other('99970101000000.backup.gz'), Bun.gzipSync('{"kind":"head","format":1}\n'))
    expect(await rollbackCommand(config)).toContain('The newer database is in')
    renameSync(join(DATA_DIR, 'pgdata'), join(DATA_DIR, 'pgdata-20260314120000'))
    expect(() => refuseInterruptedRollback(config)).toThrow(
      /has no database, but pgdata-\d+ from an interrupted rollback/,
    )
    renameSync(join(DATA_DIR, 'pgdata-20260314120000'), join(DATA_DIR, 'pgdata'))
    refuseInterruptedRollback(config)
    expect(await use(config, 'AGAIN')).toEqual(['OLD', 'AGAIN'])
  },
)

test('a database on a server is not rolled back', async () => {
  const config = readConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(await refusal(rollbackCommand(config))).toContain('rollback works only with the embedded database')
})

test(
  'a rollback keeps other processes out of the data folder, and accepts an uploads folder on ' + 'another disk',
  async () => {
    const DATA_DIR = temporaryFolder()
    const config = readConfig({ DATA_DIR })
    await use(config, 'OLD')
    const storage = await openMigrated(config)
    await keepFile({ config, database: storage, db: storage.db }, new TextEncoder().encode('bill'), 'old-bill')
    await storage.close()
    migrations.push({ name: '9999_later', text: 'alter table locations drop column phone' })
    await use(config, 'NEW')
    migrations.splice(migrationCount)
    const otherDisk = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'yardmaster-uploads-'))
    rmSync(join(DATA_DIR, 'uploads'), { recursive: true })
    symlinkSync(otherDisk, join(DATA_DIR, 'uploads'))
    symlinkSync('nowhere', join(DATA_DIR, 'before-updates', '99990101000000.backup.gz'))
    const done = rollbackCommand(config)
    let tries = 0
    const other = await Promise.race([
      done.then(() => 'finished first'),
      (async () => {
        for (;;) {
          tries++
          const answer = await refusal(Promise.try(() => lockFolder(DATA_DIR).release()))
          if (/in use/.test(answer) && existsSync(join(DATA_DIR, 'rollback', 'pgdata'))) return 'kept out'
          await Bun.sleep(5)
        }
      })(),
    ])
    expect([other, tries > 0]).toEqual(['kept out', true])
    expect(await done).toContain('The newer database is in')
    expect(readdirSync(otherDisk)).toEqual(['old-bill'])
    rmSync(otherDisk, { recursive: true })
    expect(await use(config, 'AGAIN')).toEqual(['OLD', 'AGAIN'])
  },
)
