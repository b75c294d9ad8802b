const ROOT = new URL('../..', import.meta.url).pathname

/** Starts a server process (script or binary) and waits for its address. */
export async function start(script: string, env: Record<string, string>) {
  const child = Bun.spawn(/\.tsx?$/.test(script) ? [process.execPath, script] : [script], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', API_REQUESTS_PER_MINUTE: '1000000', ...env },
    stdout: 'pipe',
    // Ignored, because under load every statement is slow and logged as such.
    stderr: 'ignore',
  })
  let output = ''
  const reader = child.stdout.getReader()
  while (!output.includes('Yardmaster is at')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${script} did not start:\n${output}`)
    output += new TextDecoder().decode(value)
  }
  // Reads stdout to its end. If the pipe were full, the program would try again and again to write its log lines.
  const drain = async () => {
    while (!(await reader.read()).done);
  }
  void drain()
  return { child, url: /https?:\S+/.exec(output)?.[0] as string }
}
