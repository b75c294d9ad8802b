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
  // Retried, because a killed process can still use the file system for a moment.
  for (let tries = 0; readFileSync('/proc/self/mounts', 'utf8').includes(` ${at} `); tries++) {
    const done = Bun.spawnSync(['umount', at], { stderr: 'pipe' })
    if (!done.success && tries > 100) throw new Error(`${done.stderr}`)
    if (!done.success) await Bun.sleep(50)
  }
}

/**
 * A file system in an image file.
 * With `cached`, the image is on a second file system, whose page cache acts as the volatile cache of the disk.
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
      // Writes all blocks now, so that a flush of the inner disk never waits for metadata of the host file system.
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

  /** True if the file system is consistent. Checked only for ext4 without `cached`. */
  isSound(): boolean {
    return FS !== 'ext4' || this.cached || Bun.spawnSync(['e2fsck', '-fn', this.image]).exitCode === 0
  }
}

/** Waits until the loop device of an image is released, shortly after the unmount. */
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
 * Stops the writer and copies the image.
 * The kernel can still write afterwards, so the copy is repeated until the image did not change during it.
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

/**
 * Copies the image part by part while it changes, which a backup must not do.
 * The parts of the copy are from different moments.
 */
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

/** Copies the image in one go while it changes, as a plain `cp` does. */
export const copyQuicklyWhileWriting: Cut = async (disk, writer) => {
  await Bun.spawn(['cp', '--sparse=always', disk.image, `${disk.image}.cut`]).exited
  await exchange(disk, writer)
}

/**
 * Kills the writer and replaces the disk with the copy.
 * The last writes of the kernel at the unmount go to the old image.
 */
async function exchange(disk: Disk, writer: Writer): Promise<void> {
  writer.kill('SIGKILL')
  await writer.exited
  await disk.unmount()
  renameSync(`${disk.image}.cut`, disk.image)
}

const FS_IOC_SHUTDOWN = 0x8004587d
const withoutFlushingTheLog = new Uint32Array([2])

/**
 * Simulates a disk that fails at a random moment and loses its cache.
 * A random part of the cache is written before.
 */
export const loseTheCache: Cut = async (disk, writer) => {
  const image = openSync(disk.inner, 'r')
  const writtenShare = Math.random() < 0.3 ? 0 : Math.random()
  for (let at = 0, part = 0; at < MEGABYTES * mebibyte && writtenShare; at += part) {
    // A part can be half a database page, so that some pages are written only in part.
    part = 4096 * (1 + Math.floor(Math.random() * 16))
    if (Math.random() < writtenShare) libc.sync_file_range(image, at, part, 7)
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
