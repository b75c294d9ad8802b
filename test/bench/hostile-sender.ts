/** Worker that repeats one request over several connections and counts the responses. */
declare const self: Worker

type Order = { url: string; headers: Record<string, string>; body: string; connections: number }

const answers: Record<string, number> = {}
let isStopped = false

async function send({ url, headers, body }: Order) {
  while (!isStopped) {
    const status = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    }).then(
      (answer) => answer.status,
      () => 'closed',
    )
    answers[status] = (answers[status] ?? 0) + 1
  }
}

self.onmessage = (event: MessageEvent<Order | 'stop'>) => {
  if (event.data === 'stop') {
    isStopped = true
    self.postMessage(answers)
    return
  }
  for (let n = 0; n < event.data.connections; n++) void send(event.data)
}

export {}
