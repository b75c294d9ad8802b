import type { Config } from '../../platform/config'
import { sendMail } from '../../platform/mail'
import { StartError } from '../../platform/start-error'

/**
 * Runs `mail-test ADDRESS`. Sends a test message through the configured mail server.
 * @throws StartError when no mail server is configured, or when the mail server does not accept the message
 */
export async function mailTest({ mail }: Config, address: string): Promise<string> {
  if (!mail) throw new StartError('SMTP_URL: no mail server is set')
  const { host } = new URL(mail.url)
  await sendMail(mail, {
    to: address,
    subject: 'Test message from Yardmaster',
    text: 'This message shows that Yardmaster can send mail.',
  }).catch((error: Error) => {
    throw new StartError(`SMTP_URL: ${host} did not accept the message: ${error.message}`)
  })
  return `${host} accepted a message for ${address}`
}
