import type { SendMailOptions } from 'nodemailer'
import type { Config } from './config'

const TIMEOUT_MS = 20_000

type MailServer = NonNullable<Config['mail']>

async function withServer<T>({ url }: MailServer, use: (server: Transporter) => Promise<T>): Promise<T> {
  // Load the mail library only when it is needed, because most installations send no mail.
  const { createTransport } = await import('nodemailer')
  const server = createTransport(url, {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as never)
  return use(server).finally(() => server.close())
}

type Transporter = ReturnType<typeof import('nodemailer').createTransport>

/** @throws Error when the server is unreachable or rejects the message */
export const sendMail = (mail: MailServer, message: Omit<SendMailOptions, 'from'>) =>
  withServer(mail, (server) => server.sendMail({ from: { name: 'Yardmaster', address: mail.from }, ...message }))

/** @throws Error when the connection or the sign-in fails */
export const checkMailServer = (mail: MailServer) => withServer(mail, (server) => server.verify())
