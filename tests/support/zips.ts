import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A zip of some texts, by their names. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}
