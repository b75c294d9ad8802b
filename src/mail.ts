import type { SendMailOptions } from 'nodemailer'
import type { Config } from './config'

const PATIENCE_MS = 20_000

/** Hands one message to the mail server. @throws when that is away or refuses it */
export async function sendMail({ url, from }: NonNullable<Config['mail']>, message: Omit<SendMailOptions, 'from'>) {
  // Most never send any, so no start waits for it.
  const { createTransport } = await import('nodemailer')
  const server = createTransport(url, {
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  } as never)
  try {
    await server.sendMail({ from: { name: 'Yardmaster', address: from }, ...message })
  } finally {
    server.close()
  }
}
