import { SMTPServer } from 'smtp-server'

export type Received = { to: string[]; text: string }

/**
 * Starts a mail server that accepts every message. `refuses` makes it reject all, with the given reason if it is text.
 */
export async function mailServer(refuses: boolean | string = false) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, answer) =>
      refuses ? answer(new Error(refuses === true ? 'mailbox is full' : refuses)) : answer(),
    onData(stream, session, answer) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        answer()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
