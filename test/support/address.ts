/** Reads a starting program's output up to its address. `url` is undefined when the program ended without one. */
export async function untilAddress(
  stdout: ReadableStream<Uint8Array>,
): Promise<{ startOutput: string; url: string | undefined }> {
  let startOutput = ''
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
    startOutput += chunk
    if (startOutput.includes('Yardmaster is at')) break
  }
  return { startOutput, url: /https?:\/\/\S+/.exec(startOutput)?.[0] }
}
