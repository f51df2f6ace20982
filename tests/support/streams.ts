import type { Readable } from 'node:stream';

/** Everything a stream gives. */
export async function bytesOf(stream: Readable | Promise<Readable>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Everything a stream gives, as text. */
export async function textOf(stream: Readable | Promise<Readable>): Promise<string> {
  return (await bytesOf(stream)).toString('utf8');
}
