/**
 * Cuts the power of the embedded database, over and over, and opens what is left. The data folder is on a file system
 * of its own in an image file in memory, so that only what reached the "disk" outlives a cut: the page cache does not.
 *
 *   bun power-cuts.ts A=60 B=40 C=26 D=8 E=40 F=40 G=30 H=4 I=40 J=40     (rounds per arm)
 *
 * Needs root, loop devices and e2fsprogs; FS=xfs or FS=btrfs tries another file system, KEEP=1 keeps each failed image.
 *
 * A and B stop the writer and copy the image; a signal is only delivered between system calls, so these never cut
 * inside an fsync. E to H and J do: there the disk itself has a volatile cache (the image lies on a second file
 * system),
 * and the cut takes all that was not flushed but for a random part, as a disk may write its cache in any order. G cuts
 * a second time while the database recovers from the first. C and I copy the image while the writer runs on, which
 * is no
 * point in time and damages what is in it. D and H have PGlite's own file layer, without fsync, and have to lose rows:
 * otherwise the cuts would not be cuts.
 */
import { dlopen, ptr } from 'bun:ffi'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * Where the project is: `../..` of test/faults, or named, so that the script also runs from elsewhere and on a
 * copy.
 */
const PROJECT = process.env.PROJECT ?? join(import.meta.dir, '../..')
const WORK = process.env.WORK ?? '/dev/shm/power-cuts'
const FS = process.env.FS ?? 'ext4'
const MEGABYTES = 400
const ROUNDS_PER_DISK = 15
const mebibyte = 1024 * 1024

type OpenEmbedded = typeof import('../../db/embedded/open').openEmbedded
type PGliteClass = typeof import('@electric-sql/pglite').PGlite
type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

// ---- In a process of its own: the writer, and the one who looks after the cut -------------------------------------

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

/** `ledger` says of each transaction how many rows it has; `bulk` is rewritten whole by every large transaction. */
async function createTables(sql: Sql): Promise<void> {
  await sql(
    'create table if not exists ledger (tx int, n int, size int, bulk boolean, filler text, primary key (tx, n))',
  )
  await sql('create table if not exists bulk (n int primary key, tx int, filler text)')
  await sql("insert into bulk select n, 0, '' from generate_series(1, 1500) n on conflict do nothing")
}

/** Small WAL limits, so that segments are recycled all the time; they hold from the next start on. */
async function prepare(folder: string): Promise<void> {
  const { sql, close } = await openDurable(folder)
  await createTables(sql)
  await sql("alter system set max_wal_size = '32MB'")
  await sql("alter system set min_wal_size = '32MB'")
  await close()
}

/** Writes without end, one numbered transaction after the other, and says each number after its commit. */
async function write(folder: string, durable: boolean): Promise<void> {
  const { sql } = await (durable ? openDurable(folder) : openWithoutFsync(folder))
  await createTables(sql)
  const [last] = await sql('select coalesce(max(tx), 0) as tx from ledger')
  for (let tx = Number(last?.tx) + 1; ; tx++) {
    const dice = Math.random()
    const isBulk = dice < 0.12
    const size = dice < 0.3 ? 2 + Math.floor(Math.random() * 30) : 1
    const filler = Buffer.from(crypto.getRandomValues(new Uint8Array(200))).toString('hex')
    // One statement is one transaction here; its parts are in different tables.
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
      // New files: a table with an index in place of the one before.
      await sql('drop table if exists scratch')
      await sql('create table scratch as select n, md5(n::text) as filler from generate_series(1, 400) n')
      await sql('create index on scratch (filler)')
    } else if (dice > 0.93) await sql('truncate scratch').catch(() => {})
  }
}

type Found = { last: number; transactions: number; half: number; apart: boolean; tables: number; segment: number }

/** Opens what the cut left, counts, and writes on. */
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

// ---- The disk ------------------------------------------------------------------------------------------------------

const libc = dlopen('libc.so.6', {
  ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
  sync_file_range: { args: ['i32', 'i64', 'i64', 'u32'], returns: 'i32' },
}).symbols

function run(...command: string[]): string {
  const done = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  if (!done.success) throw new Error(`${command.join(' ')}: ${done.stderr}${done.stdout}`)
  return done.stdout.toString()
}

const copyImage = (from: string, to: string) => run('cp', '--sparse=always', from, to)

const format = (image: string, type = FS) =>
  type === 'ext4'
    ? run('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard', image)
    : run(`mkfs.${type}`, '-q', '-f', image)

const mount = (image: string, at: string) => run('mount', '-o', 'loop', image, at)

async function unmount(at: string): Promise<void> {
  // A process that was just killed may still be on its way out.
  for (let tries = 0; readFileSync('/proc/self/mounts', 'utf8').includes(` ${at} `); tries++) {
    const done = Bun.spawnSync(['umount', at], { stderr: 'pipe' })
    if (!done.success && tries > 100) throw new Error(`${done.stderr}`)
    if (!done.success) await Bun.sleep(50)
  }
}

/**
 * One file system in one image. With `cached` the image lies on a second file system, whose page cache plays the
 * disk's volatile cache.
 */
class Disk {
  readonly image: string
  readonly inner = join(WORK, 'host', 'disk.img')
  readonly host = join(WORK, 'host')
  readonly at = join(WORK, 'disk')
  readonly folder = join(this.at, 'data')

  constructor(readonly cached: boolean) {
    this.image = join(WORK, cached ? 'host.img' : 'disk.img')
    mkdirSync(this.host, { recursive: true })
    mkdirSync(this.at, { recursive: true })
  }

  async create(): Promise<void> {
    rmSync(this.image, { force: true })
    writeFileSync(this.image, '')
    truncateSync(this.image, (MEGABYTES + (this.cached ? 80 : 0)) * mebibyte)
    format(this.image, this.cached ? 'ext4' : FS)
    if (this.cached) {
      mount(this.image, this.host)
      // Written in full, so that a flush of the inner disk never has to wait for the host's own bookkeeping.
      run('dd', 'if=/dev/zero', `of=${this.inner}`, 'bs=1M', `count=${MEGABYTES}`, 'conv=fsync')
      format(this.inner)
      await unmount(this.host)
    }
  }

  mount(): void {
    if (this.cached) mount(this.image, this.host)
    mount(this.cached ? this.inner : this.image, this.at)
  }

  async unmount(): Promise<void> {
    await unmount(this.at)
    if (this.cached) {
      await released(this.inner)
      await unmount(this.host)
    }
    await released(this.image)
  }

  /** Is the file system itself whole, after its journal? */
  isSound(): boolean {
    return FS !== 'ext4' || this.cached || Bun.spawnSync(['e2fsck', '-fn', this.image]).exitCode === 0
  }
}

/** A loop device is let go a little after its file system. */
async function released(image: string): Promise<void> {
  for (let tries = 0; run('losetup', '-j', image).trim(); tries++) {
    if (tries > 200) throw new Error(`${image} is still in use`)
    await Bun.sleep(10)
  }
}

// ---- The cuts ------------------------------------------------------------------------------------------------------

type Writer = { pid: number; kill(signal: NodeJS.Signals): void; exited: Promise<number> }
type Cut = (disk: Disk, writer: Writer) => Promise<void>

/**
 * The kernel may still write when the process has stopped, so the copy counts only if the image stayed the same
 * meanwhile.
 */
const stopAndCopy: Cut = async (disk, writer) => {
  writer.kill('SIGSTOP')
  for (let before = -1n, after = 0n; before !== after; ) {
    before = statSync(disk.image, { bigint: true }).mtimeNs
    copyImage(disk.image, `${disk.image}.cut`)
    after = statSync(disk.image, { bigint: true }).mtimeNs
  }
  await exchange(disk, writer)
}

/** What not to do: each part of the image is of another moment. */
const copyWhileWriting: Cut = async (disk, writer) => {
  const [from, to] = [openSync(disk.image, 'r'), openSync(`${disk.image}.cut`, 'w')]
  const part = new Uint8Array(4 * mebibyte)
  const longest = Math.random() * 20
  for (let at = 0; at < fstatSync(from).size; at += part.length) {
    writeSync(to, part, 0, readSync(from, part, 0, part.length, at), at)
    await Bun.sleep(Math.random() * longest)
  }
  closeSync(from)
  closeSync(to)
  await exchange(disk, writer)
}

/** The same in one go, as a plain `cp` of a live image does it. */
const copyQuicklyWhileWriting: Cut = async (disk, writer) => {
  await Bun.spawn(['cp', '--sparse=always', disk.image, `${disk.image}.cut`]).exited
  await exchange(disk, writer)
}

/** The copy takes the disk's place; what the kernel still writes at unmounting goes to the old one. */
async function exchange(disk: Disk, writer: Writer): Promise<void> {
  writer.kill('SIGKILL')
  await writer.exited
  await disk.unmount()
  renameSync(`${disk.image}.cut`, disk.image)
}

const FS_IOC_SHUTDOWN = 0x8004587d
const withoutFlushingTheLog = new Uint32Array([2])

/**
 * At one instant, wherever the writer is, the disk fails: its cache is lost, but for a random part that it wrote in
 * the last moments.
 */
const loseTheCache: Cut = async (disk, writer) => {
  const image = openSync(disk.inner, 'r')
  const kept = Math.random() < 0.3 ? 0 : Math.random()
  for (let at = 0, part = 0; at < MEGABYTES * mebibyte && kept; at += part) {
    // Down to half a database page, so that pages are torn too.
    part = 4096 * (1 + Math.floor(Math.random() * 16))
    if (Math.random() < kept) libc.sync_file_range(image, at, part, 7)
  }
  closeSync(image)
  const host = openSync(disk.host, 'r')
  const failed = libc.ioctl(host, FS_IOC_SHUTDOWN, ptr(withoutFlushingTheLog))
  closeSync(host)
  if (failed) throw new Error('The host file system cannot be shut down')
  writer.kill('SIGKILL')
  await writer.exited
  await disk.unmount()
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

/** Reads the writer's lines as they come. The last one may be half a line, and does not count. */
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

/** Lets a writer run until the cut. @returns the last transaction that it acknowledged (0 for none) and how many */
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
  // What was acknowledged during a copy that is no point in time need not be in it.
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
    const [said, wrong] = await Promise.all([new Response(looker.stdout).text(), new Response(looker.stderr).text()])
    if (await looker.exited) outcome.why = wrong.replace(/\s+/g, ' ').slice(-600)
    else outcome.found = JSON.parse(said.trim().split('\n').at(-1) ?? '') as Found
  } catch (error) {
    outcome.why = String(error)
  }
  await disk.unmount()
  outcome.isSound = disk.isSound()
  return outcome
}

/** Makes the disk that an arm's rounds begin with, as `base`. */
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
    // A disk goes on from its last cut, as one in the field would, until it has failed or grown old.
    if (arm.firstStart || usedFor >= ROUNDS_PER_DISK) {
      copyImage(base, disk.image)
      usedFor = 0
    }
    usedFor++
    const { acknowledged, commits, phase, found, why, isSound } = await round(arm, disk)
    phases[phase] = (phases[phase] ?? 0) + 1
    const lost = found ? Math.max(0, acknowledged - found.last) + (found.last - found.transactions) : 0
    total.commits += commits
    total.sound += Number(isSound)
    if (found) {
      tables ||= found.tables
      total.opened++
      total.segments = Math.max(total.segments, found.segment)
      total.lost += lost
      total.roundsLost += Number(lost > 0)
      total.half += found.half + Number(found.apart)
      total.ahead += Number(!isLiveCopy(arm) && found.last > acknowledged + arm.moments.length)
    }
    const problems = [
      ...(found ? [] : [`did not open: ${why}`]),
      ...(lost ? [`lost ${lost} of ${acknowledged} acknowledged`] : []),
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
