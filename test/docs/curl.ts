/** The curl examples of a document, as requests that a test can send. */

export type CurlExample = {
  command: string
  /** Status in a comment behind the command, such as `# 422 {…}`. */
  status: number | undefined
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Fields of a form. A value that starts with `@` is the name of a file. */
  form: [name: string, value: string][]
}

const FLAGS_WITH_VALUE = ['-H', '-d', '-F', '-X', '-o']

/** Splits a command into words. Handles quotes and `$NAME`, which is all that the examples use. */
function shellWords(command: string, variables: Record<string, string>): string[] {
  const part = /'([^']*)'|"([^"]*)"|([^\s'"]+)/g
  const expand = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    [...word.matchAll(part)].map(([, literal, quoted, plain]) => literal ?? expand(quoted ?? plain ?? '')).join(''),
  )
}

function parseCurl(command: string, status: number | undefined, variables: Record<string, string>): CurlExample {
  const example: CurlExample = { command, status, method: '', url: '', headers: {}, body: undefined, form: [] }
  const words = shellWords(command, variables).slice(1)
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const value = FLAGS_WITH_VALUE.includes(word) ? (words.shift() ?? '') : ''
    if (word === '-X') example.method = value
    else if (word === '-d') example.body = value
    else if (word === '-H') example.headers[value.split(':')[0] ?? ''] = value.slice(value.indexOf(':') + 1).trim()
    else if (word === '-F') example.form.push([value.split('=')[0] ?? '', value.slice(value.indexOf('=') + 1)])
    else if (!word.startsWith('-')) example.url = word
  }
  example.method ||= example.body === undefined && !example.form.length ? 'GET' : 'POST'
  return example
}

/** Returns the curl commands of all `sh` blocks. What follows a pipe is left out. */
export function curlExamples(markdown: string, variables: Record<string, string>): CurlExample[] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .replace(/\\\n/g, ' ')
      .split(/\n(?=\S*curl )/)
      .flatMap((text) => {
        const command = /curl [^\n]*/.exec(text)?.[0]
        if (!command) return []
        const status = /\n# (\d{3}) /.exec(text)?.[1]
        return [parseCurl(command.replace(/ \| .*$/, ''), status ? Number(status) : undefined, variables)]
      }),
  )
}
