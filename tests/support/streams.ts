import type { Readable } from 'node:stream';

/** Collects a stream. */
export async function bytesOf(stream: Readable | Promise<Readable>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Collects a stream as text. */
export async function textOf(stream: Readable | Promise<Readable>): Promise<string> {
  return (await bytesOf(stream)).toString('utf8');
}
