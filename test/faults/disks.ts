import { dlopen, ptr } from 'bun:ffi'
import {
  closeSync,
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

export const WORK = process.env.WORK ?? '/dev/shm/power-cuts'
export const FS = process.env.FS ?? 'ext4'
export const MEGABYTES = 400

export const mebibyte = 1024 * 1024

// ---- The disk ------------------------------------------------------------------------------------------------------

const libc = dlopen('libc.so.6', {
  ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
  sync_file_range: { args: ['i32', 'i64', 'i64', 'u32'], returns: 'i32' },
}).symbols

export function run(...command: string[]): string {
  const done = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  if (!done.success) throw new Error(`${command.join(' ')}: ${done.stderr}${done.stdout}`)
  return done.stdout.toString()
}

export const copyImage = (from: string, to: string) => run('cp', '--sparse=always', from, to)

const format = (image: string, type = FS) =>
  type === 'ext4'
    ? run('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard', image)
    : run(`mkfs.${type}`, '-q', '-f', image)

export const mount = (image: string, at: string) => run('mount', '-o', 'loop', image, at)

export async function unmount(at: string): Promise<void> {
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
export class Disk {
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
export type Cut = (disk: Disk, writer: Writer) => Promise<void>

/**
 * The kernel may still write when the process has stopped, so the copy counts only if the image stayed the same
 * meanwhile.
 */
export const stopAndCopy: Cut = async (disk, writer) => {
  writer.kill('SIGSTOP')
  for (let before = -1n, after = 0n; before !== after; ) {
    before = statSync(disk.image, { bigint: true }).mtimeNs
    copyImage(disk.image, `${disk.image}.cut`)
    after = statSync(disk.image, { bigint: true }).mtimeNs
  }
  await exchange(disk, writer)
}

/** What not to do: each part of the image is of another moment. */
export const copyWhileWriting: Cut = async (disk, writer) => {
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
export const copyQuicklyWhileWriting: Cut = async (disk, writer) => {
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
export const loseTheCache: Cut = async (disk, writer) => {
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
