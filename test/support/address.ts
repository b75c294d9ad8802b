/** Reads a starting program's output up to its address. `url` is undefined when the program ended without one. */
export async function untilAddress(
  stdout: ReadableStream<Uint8Array>,
): Promise<{ said: string; url: string | undefined }> {
  let said = ''
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
    said += chunk
    if (said.includes('Yardmaster is at')) break
  }
  return { said, url: /https?:\/\/\S+/.exec(said)?.[0] }
}
