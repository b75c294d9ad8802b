import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ADD_USER, backupUnits, systemdUnit } from './systemd-unit'

const INSTALLED = '/usr/bin/yardmaster'

/** Script that `dpkg` runs after installation or update. */
const AFTER_INSTALL = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  ${ADD_USER}
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable yardmaster
    systemctl restart yardmaster
  fi
fi
`
const BEFORE_REMOVE = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now yardmaster; fi
`

type Deb = {
  executable: string
  licences: string
  version: string
  architecture: 'amd64' | 'arm64'
  /**
   * Modification time of all files in the package, in seconds since 1970.
   * A fixed time makes builds reproducible.
   */
  time: number
  to: string
}

/**
 * Builds a Debian package with the executable and a systemd unit. Removing the package does not delete the data in
 * `/var/lib/yardmaster`.
 * @throws Error when `dpkg-deb` is missing or fails
 */
export function buildDeb({ executable, licences, version, architecture, time, to }: Deb): void {
  const root = mkdtempSync(join(tmpdir(), 'yardmaster-deb-'))
  const put = (path: string, content: string | Uint8Array, mode: number) => {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
    writeFileSync(target, content)
    chmodSync(target, mode)
  }
  try {
    chmodSync(root, 0o755)
    const units = { 'yardmaster.service': systemdUnit(INSTALLED), ...backupUnits(INSTALLED) }
    for (const [name, unit] of Object.entries(units)) put(`usr/lib/systemd/system/${name}`, unit, 0o644)
    put('usr/share/doc/yardmaster/copyright', licences, 0o644)
    put('DEBIAN/postinst', AFTER_INSTALL, 0o755)
    put('DEBIAN/prerm', BEFORE_REMOVE, 0o755)
    put('DEBIAN/control', control(version, architecture, Math.ceil(statSync(executable).size / 1024)), 0o644)
    mkdirSync(join(root, 'usr/bin'), { recursive: true })
    cpSync(executable, join(root, 'usr/bin/yardmaster'))
    chmodSync(join(root, 'usr/bin/yardmaster'), 0o755)
    const { exitCode, stderr } = Bun.spawnSync(['dpkg-deb', '--build', '--root-owner-group', '-Zgzip', root, to], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    })
    if (exitCode !== 0) throw new Error(`dpkg-deb failed: ${stderr}`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** @param size installed size in KiB */
const control = (version: string, architecture: string, size: number) => `Package: yardmaster
Version: ${version}
Architecture: ${architecture}
Maintainer: Yardmaster <yardmaster@example.com>
Section: web
Priority: optional
Installed-Size: ${size}
Depends: libc6
Description: Back office of a vehicle fleet
 Tracks vehicle transports, out-of-service logs with storage fees,
 registrations and titles. Includes an embedded database.
`
