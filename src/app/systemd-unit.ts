import example from '../../docs/examples/yardmaster.service' with { type: 'text' }

/** Shell command that adds the account of the unit, unless it exists. */
export const ADD_USER =
  'id yardmaster > /dev/null 2>&1 || ' +
  'useradd --system --home-dir /var/lib/yardmaster --shell /usr/sbin/nologin yardmaster'

/** Quotes a path for a systemd unit. In a unit, `%` starts a variable of systemd. */
const quoted = (path: string) =>
  /^[\w./+-]+$/.test(path) ? path : `"${path.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`

/** Returns a systemd unit that runs an executable. The manual instructions of the example are left out. */
export const systemdUnit = (executable: string) =>
  example.replace(/^(#.*\n)+(?=\[Unit\])/, '').replace('/usr/local/bin/yardmaster', () => quoted(executable))
