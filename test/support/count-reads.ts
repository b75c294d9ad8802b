import { connect } from 'node:net'

/**
 * Prints in how many pieces each response arrives, as a JSON array. Runs in its own process with its own socket. A
 * response that the server sends in one write arrives in one or two pieces.
 */
const [, , port = '', cookie = '', ...paths] = process.argv

const piecesOf = (path: string) =>
  new Promise<number>((resolve, reject) => {
    let [pieces, answer] = [0, '']
    const head = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head))
    socket.on('data', (bytes) => {
      pieces++
      answer += bytes.toString('latin1')
    })
    socket.on('close', () => (answer.startsWith('HTTP/1.1 200') ? resolve(pieces) : reject(new Error(answer))))
    socket.on('error', reject)
  })

const counted: number[] = []
for (const path of paths) counted.push(await piecesOf(path))
console.log(JSON.stringify(counted))
process.exit(0)
