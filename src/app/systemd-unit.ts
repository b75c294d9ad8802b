import service from '../../docs/examples/yardmaster.service' with { type: 'text' }
import backupService from '../../docs/examples/yardmaster-backup.service' with { type: 'text' }
import backupTimer from '../../docs/examples/yardmaster-backup.timer' with { type: 'text' }

/** Shell command that adds the account of the unit, unless it exists. */
export const ADD_USER =
  'id yardmaster > /dev/null 2>&1 || ' +
  'useradd --system --home-dir /var/lib/yardmaster --shell /usr/sbin/nologin yardmaster'

/** Quotes a path for a systemd unit. In a unit, `%` starts a variable of systemd. */
const quoted = (path: string) =>
  /^[\w./+-]+$/.test(path) ? path : `"${path.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`

/** Returns the units for an executable. The manual instructions of the examples are left out. */
const unitOf = (example: string, executable: string) =>
  example.replace(/^(#.*\n)+(?=\[Unit\])/, '').replace('/usr/local/bin/yardmaster', () => quoted(executable))

export const systemdUnit = (executable: string) => unitOf(service, executable)

/** The units of a nightly backup. They run only after `systemctl enable --now yardmaster-backup.timer`. */
export const backupUnits = (executable: string) => ({
  'yardmaster-backup.service': unitOf(backupService, executable),
  'yardmaster-backup.timer': unitOf(backupTimer, executable),
})
