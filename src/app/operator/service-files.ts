const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string)

type Daemon = { label: string; executable: string; user: string; folder: string; log: string }

/** Returns the file with which launchd on macOS runs the program in `folder`, as the account `user`. */
export const launchdPlist = ({
  label,
  executable,
  user,
  folder,
  log,
}: Daemon) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${escaped(label)}</string>
  <key>ProgramArguments</key>
  <array><string>${escaped(executable)}</string><string>serve</string></array>
  <key>UserName</key><string>${escaped(user)}</string>
  <key>WorkingDirectory</key><string>${escaped(folder)}</string>
  <key>StandardOutPath</key><string>${escaped(log)}</string>
  <key>StandardErrorPath</key><string>${escaped(log)}</string>
  <key>Umask</key><integer>63</integer>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ExitTimeOut</key><integer>20</integer>
</dict>
</plist>
`

type Task = { executable: string; folder: string; log: string }

/**
 * Returns the definition of a scheduled task that runs the program in `folder` on Windows, in UTF-16, which `schtasks`
 * requires. Windows starts the task with the computer, and again a minute after a failure. A shell writes the log,
 * because a task has no output. Without `PT0S`, Windows would end the task after three days.
 */
export function windowsTask({ executable, folder, log }: Task): Uint8Array {
  const words = `/d /c ""${executable}" serve >> "${log}" 2>&1"`
  return Buffer.from(
    `\ufeff<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Yardmaster, back office of a vehicle fleet</Description></RegistrationInfo>
  <Triggers><BootTrigger/></Triggers>
  <Principals><Principal id="Service"><UserId>S-1-5-19</UserId></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Service">
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>${escaped(words)}</Arguments>
      <WorkingDirectory>${escaped(folder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`.replaceAll('\n', '\r\n'),
    'utf16le',
  )
}
