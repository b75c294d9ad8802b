import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Cut,
  copyImage,
  copyQuicklyWhileWriting,
  copyWhileWriting,
  Disk,
  FS,
  loseTheCache,
  run,
  stopAndCopy,
  WORK,
} from './disks'

/** Folder of the project. `PROJECT` can name a copy, so that the script runs from elsewhere. */
const PROJECT = process.env.PROJECT ?? join(import.meta.dir, '../..')

const ROUNDS_PER_DISK = 15

type OpenEmbedded = typeof import('../../db/embedded/open').openEmbedded
type PGliteClass = typeof import('@electric-sql/pglite').PGlite
type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

// ---- Child processes: the writer, and the check after a cut --------------------------------------------------------

async function openDurable(folder: string) {
  const { openEmbedded } = (await import(join(PROJECT, 'db/embedded/open'))) as { openEmbedded: OpenEmbedded }
  const { raw, close } = await openEmbedded(folder)
  const sql: Sql = (text, values = []) => raw(text, values)
  return { sql, close }
}

async function openWithoutFsync(folder: string) {
  const { PGlite } = (await import(Bun.resolveSync('@electric-sql/pglite', PROJECT))) as { PGlite: PGliteClass }
  const pg = await PGlite.create(join(folder, 'pgdata'))
  const sql: Sql = async (text, values = []) => (await pg.query<Record<string, unknown>>(text, values)).rows
  return { sql, close: () => pg.close() }
}

/**
 * Creates the tables.
 * `ledger` has `size` rows for each transaction. Each large transaction also updates all rows of `bulk`.
 */
async function createTables(sql: Sql): Promise<void> {
  await sql(
    'create table if not exists ledger (tx int, n int, size int, bulk boolean, filler text, primary key (tx, n))',
  )
  await sql('create table if not exists bulk (n int primary key, tx int, filler text)')
  await sql("insert into bulk select n, 0, '' from generate_series(1, 1500) n on conflict do nothing")
}

/** Sets small WAL limits, so that segments are recycled often. They apply from the next start. */
async function prepare(folder: string): Promise<void> {
  const { sql, close } = await openDurable(folder)
  await createTables(sql)
  await sql("alter system set max_wal_size = '32MB'")
  await sql("alter system set min_wal_size = '32MB'")
  await close()
}

/** Writes numbered transactions without end, and prints each number after its commit. */
async function write(folder: string, durable: boolean): Promise<void> {
  const { sql } = await (durable ? openDurable(folder) : openWithoutFsync(folder))
  await createTables(sql)
  const [last] = await sql('select coalesce(max(tx), 0) as tx from ledger')
  for (let tx = Number(last?.tx) + 1; ; tx++) {
    const dice = Math.random()
    const isBulk = dice < 0.12
    const size = dice < 0.3 ? 2 + Math.floor(Math.random() * 30) : 1
    const filler = Buffer.from(crypto.getRandomValues(new Uint8Array(200))).toString('hex')
    // One statement is one transaction, which can change both tables.
    const rewritten = isBulk ? 'with rewritten as (update bulk set tx = $1, filler = $4 || n)' : ''
    await sql(
      `${rewritten} insert into ledger select $1::int, n, $2, $3, left($4, 60) from generate_series(1, $2::int) n`,
      [tx, size, isBulk, filler],
    )
    console.log(tx)
    if (dice > 0.97) await sql('checkpoint')
    else if (dice > 0.95) await sql('vacuum bulk')
    else if (dice > 0.945) await sql(`alter system set work_mem = '${4 + (tx % 8)}MB'`)
    else if (dice > 0.935) {
      // Replaces a table and its index, which creates new files.
      await sql('drop table if exists scratch')
      await sql('create table scratch as select n, md5(n::text) as filler from generate_series(1, 400) n')
      await sql('create index on scratch (filler)')
    } else if (dice > 0.93) await sql('truncate scratch').catch(() => {})
  }
}

type Found = { last: number; transactions: number; half: number; apart: boolean; tables: number; segment: number }

/** Opens the database after a cut, counts its rows, and writes again. */
async function look(folder: string): Promise<void> {
  const { sql, close } = await openDurable(folder)
  await createTables(sql)
  const count = async (text: string) => Number((await sql(text))[0]?.count)
  const found: Found = {
    last: await count('select coalesce(max(tx), 0) as count from ledger'),
    transactions: await count('select count(distinct tx) as count from ledger'),
    half: await count(
      'select count(*) as count from (select tx from ledger group by tx having count(*) <> min(size) or ' +
        'min(size) <> max(size)) half',
    ),
    apart: (await count('select count(distinct tx) as count from bulk')) !== 1,
    tables: await count(
      "select count(*) as count from information_schema.tables where table_schema = 'public' and " +
        "table_name <> 'scratch'",
    ),
    segment: await count("select floor((pg_current_wal_lsn() - '0/0'::pg_lsn) / (16 * 1024 * 1024)) as count"),
  }
  found.apart ||=
    (await count('select min(tx) as count from bulk')) !==
    (await count('select coalesce(max(tx), 0) as count from ledger where bulk'))
  await sql('set enable_seqscan = off')
  found.apart ||=
    (await count('select count(*) as count from ledger where tx > 0')) !==
    (await count('select coalesce(sum(size), 0) as count from ledger where n = 1'))
  await sql("insert into ledger values ($1, 1, 1, false, 'after the cut')", [found.last + 1])
  await sql('checkpoint')
  await close()
  console.log(JSON.stringify(found))
}

// ---- The rounds ----------------------------------------------------------------------------------------------------

type Moment = 'writing' | 'starting' | 'unpacking'
type ArmPlan = { name: string; firstStart: boolean; moments: Moment[]; durable: boolean; cached: boolean; cut: Cut }

const usual = { firstStart: false, moments: ['writing'] as Moment[], durable: true, cached: false, cut: stopAndCopy }
const arms: Record<string, ArmPlan> = {
  A: { ...usual, name: 'cut while writing' },
  B: { ...usual, name: 'cut within the first start', firstStart: true, moments: ['starting'] },
  C: { ...usual, name: 'image copied while the writer runs on', cut: copyWhileWriting },
  I: { ...usual, name: 'image copied by one cp while the writer runs on', cut: copyQuicklyWhileWriting },
  D: { ...usual, name: 'control without fsync', durable: false },
  E: { ...usual, name: 'cut while writing, disk cache lost', cached: true, cut: loseTheCache },
  F: {
    ...usual,
    name: 'cut within the first start, disk cache lost',
    firstStart: true,
    moments: ['starting'],
    cached: true,
    cut: loseTheCache,
  },
  J: {
    ...usual,
    name: 'cut while the seed is put in place, disk cache lost',
    firstStart: true,
    moments: ['unpacking'],
    cached: true,
    cut: loseTheCache,
  },
  G: {
    ...usual,
    name: 'cut while writing and again while recovering, disk cache lost',
    moments: ['writing', 'starting'],
    cached: true,
    cut: loseTheCache,
  },
  H: { ...usual, name: 'control without fsync, disk cache lost', durable: false, cached: true, cut: loseTheCache },
}

const self = (...args: string[]) => [process.execPath, import.meta.path, ...args]

/** Reads the writer's lines as they arrive. An incomplete last line is ignored. */
function listen(stream: ReadableStream<Uint8Array>) {
  const heard = { last: 0, count: 0, first: Promise.withResolvers<void>(), end: Promise.resolve() }
  heard.end = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (!lines.length) continue
      heard.last = Number(lines.at(-1))
      heard.count += lines.length
      heard.first.resolve()
    }
    heard.first.resolve()
  })()
  return heard
}

type Outcome = { acknowledged: number; commits: number; phase: string; found?: Found; why?: string; isSound: boolean }

const isLiveCopy = (arm: ArmPlan) => arm.cut === copyWhileWriting || arm.cut === copyQuicklyWhileWriting

const longestWait = { writing: 1500, starting: 2500, unpacking: 900 } satisfies Record<Moment, number>

/**
 * Runs a writer until the cut.
 * @returns the last acknowledged transaction (0 for none), and the number of acknowledged ones
 */
async function writeUntilCut(arm: ArmPlan, disk: Disk, moment: Moment) {
  disk.mount()
  const writer = Bun.spawn(self('write', disk.folder, String(arm.durable)), { stdout: 'pipe', stderr: 'ignore' })
  const heard = listen(writer.stdout)
  if (moment === 'writing') await heard.first.promise
  if (moment === 'unpacking') while (!existsSync(join(disk.folder, 'pgdata.unpacking'))) await Bun.sleep(1)
  await Bun.sleep(Math.random() * longestWait[moment])
  const before = { last: heard.last, count: heard.count }
  if (moment === 'writing' && !before.count) throw new Error('The writer did not start')
  await arm.cut(disk, writer)
  await heard.end
  // A live copy is from no single moment, so only transactions acknowledged before it must be in it.
  return isLiveCopy(arm) ? before : { last: heard.last, count: heard.count }
}

async function round(arm: ArmPlan, disk: Disk): Promise<Outcome> {
  let [acknowledged, commits] = [0, 0]
  for (const moment of arm.moments) {
    const heard = await writeUntilCut(arm, disk, moment)
    acknowledged = Math.max(acknowledged, heard.last)
    commits += heard.count
  }
  copyImage(disk.image, `${disk.image}.kept`)
  const outcome: Outcome = { acknowledged, commits, phase: 'the disk did not mount', isSound: false }
  try {
    disk.mount()
    const placed = existsSync(join(disk.folder, 'pgdata'))
    const unpacking = existsSync(join(disk.folder, 'pgdata.unpacking'))
    outcome.phase = acknowledged
      ? 'after the first row'
      : placed
        ? 'seed in place'
        : unpacking
          ? 'unpacking'
          : 'nothing yet'
    const looker = Bun.spawn(self('look', disk.folder), { stdout: 'pipe', stderr: 'pipe' })
    const [output, wrong] = await Promise.all([new Response(looker.stdout).text(), new Response(looker.stderr).text()])
    if (await looker.exited) outcome.why = wrong.replace(/\s+/g, ' ').slice(-600)
    else outcome.found = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Found
  } catch (error) {
    outcome.why = String(error)
  }
  await disk.unmount()
  outcome.isSound = disk.isSound()
  return outcome
}

/** Creates the image `base`, with which the rounds of an arm begin. */
async function makeBase(arm: ArmPlan, disk: Disk, base: string): Promise<void> {
  await disk.create()
  if (!arm.firstStart) {
    disk.mount()
    run(...self('prepare', disk.folder))
    await disk.unmount()
  }
  renameSync(disk.image, base)
}

async function runArm(letter: string, arm: ArmPlan, rounds: number): Promise<void> {
  const disk = new Disk(arm.cached)
  const base = join(WORK, 'base.img')
  await makeBase(arm, disk, base)
  const total = { opened: 0, lost: 0, roundsLost: 0, half: 0, ahead: 0, sound: 0, commits: 0, segments: 0 }
  const phases: Record<string, number> = {}
  let usedFor = ROUNDS_PER_DISK
  let tables = 0
  for (let n = 1; n <= rounds; n++) {
    // A round continues with the disk of the last cut, until it has failed or served `ROUNDS_PER_DISK` rounds.
    if (arm.firstStart || usedFor >= ROUNDS_PER_DISK) {
      copyImage(base, disk.image)
      usedFor = 0
    }
    usedFor++
    const { acknowledged, commits, phase, found, why, isSound } = await round(arm, disk)
    phases[phase] = (phases[phase] ?? 0) + 1
    const lostTransactions = found ? Math.max(0, acknowledged - found.last) + (found.last - found.transactions) : 0
    total.commits += commits
    total.sound += Number(isSound)
    if (found) {
      tables ||= found.tables
      total.opened++
      total.segments = Math.max(total.segments, found.segment)
      total.lost += lostTransactions
      total.roundsLost += Number(lostTransactions > 0)
      total.half += found.half + Number(found.apart)
      total.ahead += Number(!isLiveCopy(arm) && found.last > acknowledged + arm.moments.length)
    }
    const problems = [
      ...(found ? [] : [`did not open: ${why}`]),
      ...(lostTransactions ? [`lost ${lostTransactions} of ${acknowledged} acknowledged`] : []),
      ...(found?.half ? [`${found.half} half transactions`] : []),
      ...(found?.apart ? ['the tables do not fit together'] : []),
      ...(found && found.tables !== tables ? [`${found.tables} tables instead of ${tables}`] : []),
      ...(isSound ? [] : ['e2fsck finds the file system damaged']),
    ]
    if (problems.length) {
      console.log(`${letter} round ${n} (${phase}): ${problems.join('; ')}`)
      usedFor = ROUNDS_PER_DISK
      if (process.env.KEEP) renameSync(`${disk.image}.kept`, join(WORK, `failed-${letter}-${n}.img`))
    }
  }
  for (const path of [disk.image, `${disk.image}.kept`, base]) rmSync(path, { force: true })
  const counted = Object.entries(phases).map(([phase, count]) => `${count} ${phase}`)
  console.log(
    `${letter} ${arm.name} (${FS}): ${total.opened} of ${rounds} opened, ${total.lost} of ${total.commits} ` +
      `acknowledged transactions lost` +
      `${total.lost ? ` in ${total.roundsLost} rounds` : ''}, ${total.half} half transactions` +
      `${total.ahead ? `, ${total.ahead} rounds ahead of the acknowledged` : ''}; ` +
      `${FS === 'ext4' && !arm.cached ? `${total.sound} of ${rounds} file systems sound; ` : ''}` +
      `${counted.join(', ')}; ` +
      `up to WAL segment ${total.segments}`,
  )
}

const [mode = '', folder = '', flag] = process.argv.slice(2)
if (mode === 'prepare') await prepare(folder)
else if (mode === 'write') await write(folder, flag === 'true')
else if (mode === 'look') await look(folder)
else {
  for (const argument of process.argv.slice(2)) {
    const [letter = '', rounds] = argument.split('=')
    const arm = arms[letter]
    if (!arm) throw new Error(`There is no arm ${letter}`)
    await runArm(letter, arm, Number(rounds ?? 10))
  }
}
if (mode === 'prepare' || mode === 'look') process.exit(0)
